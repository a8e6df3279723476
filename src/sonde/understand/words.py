"""Single words: which ones mean nothing for retrieval, and which ones mean the same."""

from __future__ import annotations

import re

from sonde.expression import expression


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as running text."""
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split())


STOP_WORDS = word_set("""
    a about above across actually after again against all along already also although always am
    among an and another any anybody anyone anything anyway apparently are around as aside at away
    back be because been before behind being below besides between beyond both but by came can
    cannot come could couldn did didn do does doesn doing don done down due during each either else
    enough especially et etc even ever every everyone everything exactly example few finally first
    following for found from further generally get gets getting given gives go goes going gone good
    got great guess had hadn happen happening happens happened hard has hasn have haven having he
    hello help hence her here hi him his how however idea if im in inside instead into is isn it its
    itself ive just know known last later least left less let lets like likely little ll lot lots
    made mainly make makes making many may maybe me mean means might mine more moreover most mostly
    much must my myself near need needed needs neither never new next nice no nobody none nor not
    nothing now obviously occur occurs of off often oh ok okay on once one only onto or other others
    otherwise our ours out over own particular particularly per perhaps please possible possibly
    prefer pretty probably problem properly put quite rather re really regarding same say says
    second see seem seems seen several shall she should shouldn show shown shows similar simple
    simply since so some somebody someone something sometimes somewhere soon sort still such sure
    take taken takes tell than thank thanks that the their theirs them themselves then there
    therefore these they thing things think this those though three through throughout thus till to
    together too took toward towards tried tries true try trying two under unless unlike until up
    upon us useful usual usually ve very via want wanted wants was wasn way ways we well went were
    weren what whatever when whenever where whereas wherever whether which while who whole whom
    whose why will wish with within without won would wouldn yes yet you your yours yourself
    able allow allows allowed certain correct correctly currently
    current different easily easy entire existing expect expected incorrect incorrectly
    issue issues it's latest long longer main multiple never-ending previous previously recent
    recently related relevant report reported reporting specific specifically various wrong
    based comes coming includes including ideally variety
    behaviour behavior bug bugs feature features request-for repro reproduce reproduced
    reproducible reproduction steps describe description actual additional information version
    versions codebase repo repository project
    """)

# Words for kinds of code rather than particular code: kept, but with little weight.
FILLER_WORDS = word_set("""
    app application argument arguments array attribute attributes behaviour block bool boolean
    call called calling calls case cases class classes code command constant constructor
    content data default dict directory doc docs documentation element elements end error errors
    exception exceptions fail failed failing fails failure false field fields file files folder func
    function functions implementation import imports info input instance instances int integer
    item items key keys library line lines list lists logic member members message messages method
    methods mode model module modules name named names null number object objects operation option
    options output package packages param parameter parameters params part pass passed passes
    passing path process program property return returned returning returns result results run
    running runs script set sets setting settings size source start started state str string
    strings struct support supported supports system text tool type types use used user users uses
    using value values variable variables void work worked working works self err var const let
    public private static print printed throw throws thrown raise raised raises crash crashes
    unit need
    """)

ACTION_VERBS = word_set("""
    accept add adjust allow alter apply avoid build bump catch change check clean cleanup convert
    cover create debug decouple deduplicate delete deprecate describe disable document drop enable
    ensure enhance expand explain explore expose extend extract figure find fix follow generate
    handle harden hide identify implement improve infer inline integrate introduce investigate list
    locate look make merge migrate modify move optimise optimize parallelise parallelize port
    prevent propagate provide reduce refactor register reimplement remove rename reorganize
    replace resolve respect restore restructure return revert review rewrite search show simplify
    skip speed split stop streamline support switch test trace tune turn understand unify update
    upgrade use validate verify wire wrap write
    """)

# Verbs that state the request, never its subject.
WISH_VERBS = word_set(
    "add debug enhance ensure explain fix implement improve introduce investigate make modify "
    "refactor understand"
)

_ABBREVIATIONS = _pairs(
    """
    abs=absolute addr=address alloc=allocate app=application arg=argument args=arguments
    arr=array async=asynchronous attr=attribute auth=authentication authn=authentication
    authz=authorization avg=average bg=background bool=boolean buf=buffer calc=calculate
    cb=callback cert=certificate cfg=config char=character chk=check cls=class cmd=command
    col=column coll=collection conf=config config=configuration conn=connection coord=coordinate
    ctl=control ctor=constructor ctrl=controller ctx=context db=database decl=declaration
    decomp=decompress def=definition del=delete dep=dependency deps=dependencies
    desc=description dest=destination dev=development diff=difference dir=directory
    dirs=directories doc=document docs=documentation dst=destination elem=element enc=encode
    env=environment err=error eval=evaluate evt=event exc=exception exec=execute expr=expression
    ext=extension fmt=format fn=function freq=frequency fs=filesystem func=function gen=generate
    hdr=header hw=hardware id=identifier idx=index impl=implementation info=information
    init=initialize iter=iterator lang=language len=length lib=library loc=location max=maximum
    mem=memory mgr=manager min=minimum msg=message mul=multiply num=number obj=object
    op=operation ops=operations opt=option opts=options org=organization param=parameter
    params=parameters perf=performance perm=permission pkg=package pos=position pref=preference
    proc=process prod=production prop=property props=properties pwd=password qty=quantity
    rand=random ref=reference refs=references regex=regexp rel=relative repo=repository
    req=request res=response resp=response ret=return sched=scheduler seq=sequence sess=session
    spec=specification src=source srv=server stat=statistic stats=statistics stmt=statement
    str=string svc=service sync=synchronize sys=system temp=temporary tmp=temporary tok=token
    tpl=template ts=timestamp tx=transaction txn=transaction txt=text usr=user util=utility
    utils=utilities val=value var=variable vec=vector ver=version win=window ws=websocket
    """
)


def _both_ways() -> dict[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    for short, long in _ABBREVIATIONS.items():
        forms.setdefault(short, []).append(long)
        forms.setdefault(long, []).append(short)
    return {word: tuple(others) for word, others in forms.items()}


_FORMS = _both_ways()

_IRREGULAR = _pairs(
    """
    added=add adding=add adds=add application=apply aliases=alias analyses=analysis apis=api
    axes=axis broken=break buses=bus cached=cache caches=cache caching=cache children=child
    choosing=choose chosen=choose comparing=compare completed=complete completing=complete
    configuration=configure cpus=cpu declaration=declare deleted=delete deleting=delete
    dying=die edited=edit editing=edit ending=end focusing=focus freezing=freeze frozen=freeze
    gpus=gpu hanging=hang hashes=hash hidden=hide hiding=hide hung=hang including=include
    indexes=index indices=index kept=keep listing=list loses=lose lost=lose matrices=matrix
    menus=menu monitoring=monitor named=name naming=name nested=nest nesting=nest
    overridden=override overriding=override pasting=paste people=person piping=pipe
    preparing=prepare quoted=quote quoting=quote refactoring=refactor rendering=render
    scoped=scope scoping=scope sent=send shared=share sharing=share statuses=status testing=test
    timed=time timing=time tying=tie typing=type upgrading=upgrade uris=uri used=use using=use
    vertices=vertex written=write wrote=write
    """
)

_NOT_INFLECTED = word_set("""
    access address alias analysis always anything atlas axis basis being bias bring business bus
    canvas chaos class cors cross css dns during embed everything express feed focus gas https
    ing king macos lens loss mass miss need news nothing pandas ping plus postgres press process
    progress radius ring sed seed series shed sing something speed spring status string success
    syntax this thing thus tls tries virus wing across kwos aws ios js ts is as was has yes
    unless less red bed led incoming outgoing morning evening station nation
    location ration
    """)

# Stem endings of verbs that take a final e: validat-e, pars-e, handl-e, configur-e.
_WANTS_E = expression(
    r"(?:[^aeiou]at|[ie]at(?<=creat)|[iu]at|[vcz]|[rnl]s|[^aeiou]us|[aeo]us|[aeiou]ut|rit|"
    r"[^aeiouy][bdgptfkz]l|[^aeiou]od|clud|vid|[^aeiou]id|rad|[^aeiou]il|[^aeiou]in|[^aeiou]ur|"
    r"[nrd]g|ag|[gt]nor|stor|plor|gnor|[^aeiou]ir|quir|[^aeiou]as|[^aeiou]is|yp|[^aeiou]om|"
    r"[^aeiou]ol|[^aeiou]ov|[^aeiou]am|qu|lu|rg|[^aeiou]ot|[^aeiou]et(?<=let)|[^aeiou]ap(?<=shap))$"
)
_NO_E = expression(
    r"(?:ing|ong|ang|login|plugin|margin|origin|admin|limit|visit|access|focus|format|repeat|"
    r"treat|float|load|profil|develop|label|model|cancel|visit|commit|edit|debug|begin|pivot|"
    r"answer|transform|flush|exit|basic|topic|total|final|email|random|custom|handoff)$"
)
_DOUBLED = expression(r"([bdgmnprt])\1$")
_NOUNS_OF_VERBS = (("ization", "ize"), ("isation", "ise"), ("ation", "ate"))
_BARE_VERBS = expression(
    r"(?:implement|document|transform|represent|present|inform|adapt|confirm|"
    r"expect|affect|found|form)ation$"
)


def stem(word: str) -> str:
    """The base form of a plural, gerund, past form or action noun; "" when it is one already."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _NOT_INFLECTED or len(word) < 4 or not word.isascii():
        return ""
    if word.endswith("ing") and len(word) > 5:
        return _verb_of(word[:-3])
    if word.endswith("ed") and len(word) > 4 and not word.endswith("eed"):
        return _verb_of(word[:-2])
    if word.endswith("s"):
        return _singular(word)
    if _BARE_VERBS.search(word):
        return word[:-5]
    for ending, replacement in _NOUNS_OF_VERBS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + replacement
    return ""


def _verb_of(base: str) -> str:
    if len(base) < 2 or not re.search(r"[aeiouy]", base):
        return ""
    if _DOUBLED.search(base):
        return base[:-1]
    if base.endswith("i"):
        return base[:-1] + "y"
    if _WANTS_E.search(base) and not _NO_E.search(base):
        return base + "e"
    return base


def _singular(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return ""
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def expansions(word: str) -> tuple[str, ...]:
    """Longer or shorter spellings of the same term: ctx ↔ context."""
    return _FORMS.get(word, ())


def is_meaningful(word: str) -> bool:
    """Whether a lower-cased word is worth searching for at all."""
    return (
        len(word) > 1 and word not in STOP_WORDS and word not in WISH_VERBS and not word.isdigit()
    )


def is_filler(word: str) -> bool:
    """Whether a word names a kind of code (function, value) rather than the code itself."""
    return word in FILLER_WORDS

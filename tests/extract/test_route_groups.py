"""Routes have the paths of the routers, groups and blocks that they stand below."""

from __future__ import annotations

import pytest
from expect import facts_of

CASES = {
    "fastapi: the prefix of a router, and where it is included": (
        "python",
        'router = APIRouter(tags=["a"], prefix="/items")\nplain = APIRouter()\n'
        '@router.get("/{id}")\ndef show(id): ...\n@router.post("")\ndef add(): ...\n'
        '@plain.get("/ping")\ndef ping(): ...\napp.include_router(router, prefix="/api")\n',
        ["GET /api/items/{id}", "POST /api/items", "GET /ping"],
    ),
    "flask: the prefix of a blueprint": (
        "python",
        'bp = Blueprint("auth", __name__, url_prefix="/auth")\n'
        '@bp.route("/login", methods=["POST"])\ndef login(): ...\n'
        'old = Blueprint("old", __name__, url_prefix="/a")\n@old.route("/x")\ndef x(): ...\n'
        'app.register_blueprint(old, url_prefix="/b")\n',
        ["POST /auth/login", "ANY /b/x"],
    ),
    "flask: a blueprint made in another function is another": (
        "python",
        'def one():\n    bp = Blueprint("a", __name__, url_prefix="/a")\n'
        'def two(bp):\n    @bp.route("/x")\n    def x(): ...\n',
        ["ANY /x"],
    ),
    "gin: groups in one another, each in its function": (
        "go",
        'package web\nfunc one(r *gin.Engine) {\n\tapi := r.Group("/api", auth)\n'
        '\tv1 := api.Group("/v1")\n\t{\n\t\tv1.GET("/rows", list)\n\t}\n\tapi.POST("/in", in)\n'
        '\tr.GET("/ping", ping)\n}\nfunc two(v1 *gin.RouterGroup) {\n\tv1.GET("/x", x)\n}\n',
        ["GET /api/v1/rows", "POST /api/in", "GET /ping", "GET /x"],
    ),
    "chi: blocks of routes": (
        "go",
        'package web\nfunc run(r chi.Router) {\n\tr.Route("/rows", func(r chi.Router) {\n'
        '\t\tr.Get("/", list)\n\t\tr.Route("/{id}", func(r chi.Router) {\n'
        '\t\t\tr.Put("/name", name)\n\t\t})\n\t})\n\tr.Get("/ping", ping)\n}\n',
        ["GET /rows/", "PUT /rows/{id}/name", "GET /ping"],
    ),
    "gorilla: routers below a path": (
        "go",
        'package web\nfunc run(r *mux.Router) {\n\ts := r.PathPrefix("/rows").Subrouter()\n'
        '\ts.HandleFunc("/{id}", show)\n}\n',
        ["ANY /rows/{id}"],
    ),
    "express: a router that is used below a path": (
        "javascript",
        "const rowRouter = express.Router();\nrowRouter.get('/:id', show);\n"
        "app.use('/api/rows', auth, rowRouter);\napp.get('/ping', ping);\n",
        ["GET /api/rows/:id", "GET /ping"],
    ),
    "koa: the prefix of a router": (
        "typescript",
        "const router = new Router({ prefix: '/rows' });\nrouter.get('/:id', show);\n",
        ["GET /rows/:id"],
    ),
    "axum and actix: nested and scoped routes": (
        "rust",
        "fn app() -> Router {\n"
        '  Router::new().nest("/api", Router::new().route("/rows", get(list)))\n'
        '    .route("/ping", get(ping))\n}\nfn config(cfg: &mut Config) {\n  cfg.service(\n'
        '    web::scope("/v1").route("/a", web::get().to(a))\n'
        '      .service(web::resource("/b").route(web::get().to(b))),\n  );\n'
        '  cfg.route("/c", web::get().to(c));\n}\n',
        ["GET /api/rows", "GET /ping", "GET /v1/a", "GET /v1/b", "GET /c"],
    ),
    "laravel: groups with a prefix": (
        "php",
        "<?php\nRoute::middleware('auth')->prefix('admin')->group(function () {\n"
        "  Route::get('/users', [Users::class, 'index']);\n});\n"
        "Route::group(['middleware' => 'x', 'prefix' => 'v1'], function () {\n"
        "  Route::post('rows', [Rows::class, 'add']);\n});\nRoute::get('/ping', fn () => 1);\n",
        ["GET /admin/users", "POST /v1/rows", "GET /ping"],
    ),
    "rails: scopes with a path": (
        "ruby",
        "scope '/api' do\n  scope path: 'v1' do\n    get '/x', to: 'pages#about'\n  end\nend\n",
        ["GET /api/v1/x"],
    ),
    "asp.net: groups of endpoints": (
        "csharp",
        'class P { void Run() {\n  var rows = app.MapGroup("/rows");\n'
        '  rows.MapGet("/{id}", Show);\n  app.MapGet("/ping", Ping);\n} }\n',
        ["GET /rows/{id}", "GET /ping"],
    ),
    "spark: paths around routes": (
        "java",
        'class A { void run() {\n  path("/api", () -> {\n    get("/rows", A::list);\n  });\n'
        '  get("/ping", A::ping);\n} }\n',
        ["GET /api/rows", "GET /ping"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_paths_of(case: str) -> None:
    language, source, expected = CASES[case]
    found = facts_of(language, source).routes
    assert [f"{each.method} {each.path}" for each in found] == expected

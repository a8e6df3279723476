"""Routes whose path or handler a framework writes in a way of its own."""

from __future__ import annotations

import pytest
from expect import facts_of

CASES = {
    "express: the last argument handles, the others are middleware": (
        "typescript",
        "router.get('/a', auth, users.show);\n"
        "router.post('/b', limit(3), wrap(create));\n"
        "router.put('/c', auth, async (req, res) => { res.json(await find(req.params.id)); });\n"
        "await server.post('/d', user);\napi.get('/e', { limit });\nmap.get('f', make);\n"
        "router.post('users.list', auth(), async (ctx) => { ctx.body = list(); });\n",
        ["GET /a users.show", "POST /b create", "PUT /c ", "POST users.list "],
    ),
    "laravel: pairs, texts, whole controllers and closures": (
        "php",
        "<?php\nRoute::get('users/{id}', [UserController::class, 'show'])->name('x');\n"
        "Route::post('/u', 'UserController@store');\n"
        "Route::resource('posts', PostController::class);\n"
        "Route::apiResource('rows.cells', CellController::class)->except('destroy');\n"
        "Route::middleware('auth')->group(function () { Route::delete('/z', fn () => 1); });\n",
        [
            "GET /users/{id} UserController.show",
            "POST /u UserController.store",
            "ANY /posts PostController",
            "ANY /rows.cells CellController",
            "DELETE /z ",
        ],
    ),
    "rails: controllers in the namespaces around them": (
        "ruby",
        "namespace :admin do\n  resources :users\n  get '/x', to: 'site_pages#about'\nend\n"
        "resource :session\nget '/y' => 'mod/posts#show'\n",
        [
            "ANY /admin/users Admin.UsersController",
            "GET /admin/x Admin.SitePagesController.about",
            "ANY /session SessionsController",
            "GET /y Mod.PostsController.show",
        ],
    ),
    "rails: controllers that options and scopes name": (
        "ruby",
        "namespace :api, format: false do\n  scope :v2, module: :v1 do\n"
        "    resources :items, only: [:show], controller: 'row_items' do\n"
        "      resources :actions, module: :items\n      resource :inbox\n    end\n  end\nend\n"
        "resource :identity\n",
        [
            "ANY /api/v2/items Api.V1.RowItemsController",
            "ANY /api/v2/items/:item_id/actions Api.V1.Items.ActionsController",
            "ANY /api/v2/items/:item_id/inbox Api.V1.InboxesController",
            "ANY /identity IdentitiesController",
        ],
    ),
    "rails: actions and resources inside of resources": (
        "ruby",
        "resources :photos do\n  resources :copies\n  member do\n    post :like\n  end\n"
        "  get 'top', on: :collection\n  post 'flag'\nend\n"
        "resource :profile do\n  get :edit\nend\nget :other\n",
        [
            "ANY /photos PhotosController",
            "ANY /photos/:photo_id/copies CopiesController",
            "POST /photos/:id/like PhotosController.like",
            "GET /photos/top PhotosController.top",
            "POST /photos/:photo_id/flag PhotosController.flag",
            "ANY /profile ProfilesController",
            "GET /profile/edit ProfilesController.edit",
        ],
    ),
    "django: views as classes, and what routers of its REST framework register": (
        "python",
        'urls = [path("rows/", RowView.as_view(), name="rows"), re_path("^x/", views.show)]\n'
        'api_router.register(r"cells", CellViewSet, basename="cells")\nplugins.register("a", b)\n',
        ["ANY rows/ RowView", "ANY ^x/ views.show", "ANY cells CellViewSet"],
    ),
    "go: what stands before the last argument is no handler": (
        "go",
        "package web\nfunc run(m *Router) {\n"
        '\tm.Get("/rows", signedIn(), bind(form.Rows{}), repo.Rows)\n'
        '\tm.Post("/rows", create)\n\tm.Put("/x", func(c *Context) { c.Set("a", b) })\n}\n',
        ["GET /rows repo.Rows", "POST /rows create", "PUT /x "],
    ),
    "react: what a page shows at a path is no route of a server": (
        "tsx",
        "const App = () => <Route path='/' component={Home} />;\n",
        [],
    ),
    "vapor: paths in pieces": (
        "swift",
        'func boot(routes: Builder) throws {\n  routes.get("users", ":id") { req in show(req) }\n'
        '  routes.post("users", use: self.create)\n  routes.get { req in home(req) }\n'
        '  client.get("https://x.org") { req in sign(req) }\n}\n',
        ["GET /users/:id ", "POST /users create", "GET / "],
    ),
    "flask: every verb of the list": (
        "python",
        '@app.route("/x", methods=["GET", "POST"])\ndef view(): client.get("/y")\n',
        ["GET /x ", "POST /x "],
    ),
    "spring: methods below the path of their class": (
        "java",
        '@RequestMapping("/users")\nclass Users {\n  @GetMapping("/{id}") void show() {}\n'
        "  @PostMapping void add() {}\n}\n",
        ["ANY /users ", "GET /users/{id} ", "POST /users "],
    ),
    "asp.net: the name of the controller in its path": (
        "csharp",
        '[Route("api/[controller]")]\nclass UsersController {\n'
        '  [HttpGet("{id}")] void Show() {}\n}\n',
        ["ANY api/[controller] ", "GET api/Users/{id} "],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_routes_of(case: str) -> None:
    language, source, expected = CASES[case]
    found = facts_of(language, source).routes
    assert [f"{each.method} {each.path} {each.handler}" for each in found] == expected

#include "model/source_link.h"

#include "model/name.h"

/* Schemes that open a page or an editor. */
static const struct str schemes[] = {
    STR_INIT("https"),    STR_INIT("http"),
    STR_INIT("vscode"),   STR_INIT("vscode-insiders"),
    STR_INIT("vscodium"), STR_INIT("cursor"),
    STR_INIT("windsurf"), STR_INIT("idea"),
    STR_INIT("goland"),   STR_INIT("jetbrains"),
    STR_INIT("zed"),      STR_INIT("subl"),
    STR_INIT("txmt"),     STR_INIT("mvim"),
    STR_INIT("emacs"),
};

/* Short forms without a repository. */
static const struct {
    struct str name;
    struct str template;
} editors[] = {
    {STR_INIT("vscode"), STR_INIT("vscode://file/{file}:{line}")},
    {STR_INIT("cursor"), STR_INIT("cursor://file/{file}:{line}")},
    {STR_INIT("zed"), STR_INIT("zed://file/{file}:{line}")},
    {STR_INIT("idea"), STR_INIT("idea://open?file={file}&line={line}")},
};

/* Short forms of a forge: its host, and what stands before the ref. */
static const struct {
    struct str prefix;
    const char *host;
    const char *blob;
} forges[] = {
    {STR_INIT("github:"), "github.com", "blob"},
    {STR_INIT("gitlab:"), "gitlab.com", "-/blob"},
};

enum {
    N_SCHEMES = sizeof(schemes) / sizeof(schemes[0]),
    N_EDITORS = sizeof(editors) / sizeof(editors[0]),
    N_FORGES = sizeof(forges) / sizeof(forges[0]),
};

/* Whether a byte stands for itself in any part of an address. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || str_find(STR("-._~/"), c) < 5;
}

/* Appends text percent-encoded; the separators of Windows become those of
 * addresses, and the colon behind its drive stays. */
static void add_encoded(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i] == '\\' ? '/' : text.ptr[i];

        if (is_plain(c) || (c == ':' && i == 1))
            buf_add_char(out, c);
        else
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)c);
    }
}

/* --- Templates ------------------------------------------------------------ */

/* Whether a scheme stands in front of "://" and is one of the known. */
static bool has_known_scheme(struct str template)
{
    struct str scheme = str_head(template, str_search(template, STR("://")));

    for (size_t i = 0; i < N_SCHEMES; i++) {
        if (scheme.len < template.len && str_equal(scheme, schemes[i]))
            return true;
    }
    return false;
}

static bool is_placeholder(struct str name)
{
    return str_equal(name, STR("file")) || str_equal(name, STR("line")) ||
           str_equal(name, STR("function")) ||
           str_equal(name, STR("package")) ||
           (str_cut_prefix(&name, STR("path:")) && name.len);
}

static const char *check(struct str template)
{
    struct str rest = template;
    bool has_file = false;

    if (!has_known_scheme(template))
        return "begins with https:// or the scheme of an editor (vscode://), "
               "or is github:ORG/REPO@REF, gitlab:GROUP/REPO@REF, vscode, "
               "cursor, zed or idea";
    for (size_t i = 0; i < template.len; i++) {
        unsigned char c = (unsigned char)template.ptr[i];

        if (c <= ' ' || c >= 0x7f || str_find(STR("\"<>\\^`|"), (char)c) < 7)
            return "has no blanks, quotes and the like";
    }
    while (rest.len) {
        size_t open = str_find(rest, '{');
        size_t close = str_find(rest, '}');
        struct str name = str_skip(str_head(rest, close), open + 1);

        if (open == rest.len && close == rest.len)
            break;
        if (open > close || close == rest.len || !is_placeholder(name))
            return "has no placeholders but {file}, {path:MODULE}, {line}, "
                   "{function} and {package}";
        has_file = has_file || str_starts(name, STR("path:")) ||
                   str_equal(name, STR("file"));
        rest = str_skip(rest, close + 1);
    }
    return has_file ? NULL : "has {file} or {path:MODULE}";
}

/* "org/repo@ref" of a forge, whose ref may be left out. */
static void add_forge(struct buf *out, size_t forge, struct str value)
{
    struct str repo = str_head(value, str_find(value, '@'));
    struct str ref = str_skip(value, repo.len + 1);

    if (!ref.len)
        ref = STR("HEAD");
    buf_addf(out, "https://%s/" STR_FORMAT "/%s/" STR_FORMAT,
             forges[forge].host, STR_ARG(repo), forges[forge].blob,
             STR_ARG(ref));
    buf_addf(out, "/{path:%s/" STR_FORMAT "}#L{line}", forges[forge].host,
             STR_ARG(repo));
}

/* What a short form stands for; any other value stands for itself. */
static void add_template(struct buf *out, struct str value)
{
    for (size_t i = 0; i < N_FORGES; i++) {
        if (str_starts(value, forges[i].prefix) &&
            str_find(value, '/') < str_find(value, '@')) {
            value = str_skip(value, forges[i].prefix.len);
            add_forge(out, i, value);
            return;
        }
    }
    for (size_t i = 0; i < N_EDITORS; i++) {
        if (str_equal(value, editors[i].name))
            value = editors[i].template;
    }
    buf_add(out, value);
}

const char *source_link_expand(struct buf *out, struct str value)
{
    struct buf template = {0};
    const char *problem = NULL;

    add_template(&template, value);
    if (template.failed)
        out->failed = true;
    else
        problem = check(buf_str(&template));
    if (!problem)
        buf_add(out, buf_str(&template));
    buf_done(&template);
    return problem;
}

/* --- Places --------------------------------------------------------------- */

static struct str last_element(struct str path)
{
    size_t slash = str_rfind(path, '/');

    return slash < path.len ? str_skip(path, slash + 1) : path;
}

/* Whether a separator of either kind of path stands at a position, or the path
 * begins or ends there. */
static bool is_border(struct str path, size_t at)
{
    return at >= path.len || path.ptr[at] == '/' || path.ptr[at] == '\\';
}

/* Cuts the elements of a prefix off a path: "a/b" off "a/b/c". */
static bool cut_elements(struct str *path, struct str prefix)
{
    if (!str_starts(*path, prefix) || !is_border(*path, prefix.len))
        return false;
    *path = str_skip(*path, prefix.len + 1);
    return true;
}

/* Whether a path element is a major version: "v2". */
static bool cut_version(struct str *path)
{
    struct str element = str_head(*path, str_find(*path, '/'));
    struct str number = element;
    uint64_t version;

    if (!str_cut_prefix(&number, STR("v")) || !str_to_u64(number, &version))
        return false;
    *path = str_skip(*path, element.len + 1);
    return true;
}

/* What stands behind the first folder with a name, and behind those of the same
 * name right below: build machines check out "repo/repo". Empty when there is
 * none. */
static struct str behind_folder(struct str path, struct str folder)
{
    for (size_t i = 0; i + folder.len < path.len; i++) {
        struct str rest = str_skip(path, i);

        if ((i && !is_border(path, i - 1)) || !cut_elements(&rest, folder))
            continue;
        while (cut_elements(&rest, folder))
            ;
        return rest;
    }
    return (struct str){0};
}

/* Appends the path of a file below the root of its module. */
static bool add_path(struct buf *out, const struct source_line *with,
                     struct str module)
{
    struct str package = name_package(with->function);
    struct str path = with->file;

    if (with->path.len) {
        add_encoded(out, with->path);
        return true;
    }
    if (cut_elements(&package, module)) {
        size_t base = path.len;

        cut_version(&package);
        while (base && !is_border(path, base - 1))
            base--;
        add_encoded(out, package);
        if (package.len)
            buf_add_char(out, '/');
        add_encoded(out, str_skip(path, base));
        return true;
    }
    if (!cut_elements(&path, module)) {
        if (name_is_std(with->function) || str_contains(path, STR("/pkg/mod/")))
            return false;
        path = behind_folder(path, last_element(module));
    }
    add_encoded(out, path);
    return path.len > 0;
}

/* Appends what a placeholder stands for; false when that is not known. */
static bool add_placeholder(struct buf *out, struct str name,
                            const struct source_line *with)
{
    struct str file = with->file;

    if (str_equal(name, STR("line"))) {
        buf_addf(out, "%u", with->line ? (unsigned)with->line : 1);
        return true;
    }
    if (str_equal(name, STR("function"))) {
        add_encoded(out, with->function);
        return true;
    }
    if (str_equal(name, STR("package"))) {
        add_encoded(out, name_package(with->function));
        return true;
    }
    if (str_cut_prefix(&name, STR("path:")))
        return add_path(out, with, name);
    if (str_ends(buf_str(out), STR("/")))
        str_cut_prefix(&file, STR("/"));
    add_encoded(out, file);
    return file.len > 0;
}

bool source_link_add(struct buf *out, struct str template,
                     const struct source_line *source)
{
    struct buf link = {0};
    bool is_known = source->file.len > 0;

    while (is_known && template.len) {
        size_t open = str_find(template, '{');
        size_t close = str_find(template, '}');

        buf_add(&link, str_head(template, open));
        if (open < template.len)
            is_known = add_placeholder(
                &link, str_skip(str_head(template, close), open + 1), source);
        template = str_skip(template, close + 1);
    }
    if (is_known)
        buf_add(out, buf_str(&link));
    buf_done(&link);
    return is_known;
}

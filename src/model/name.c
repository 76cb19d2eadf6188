#include "model/name.h"

/* The length of the path part: up to and including the last '/' that stands
 * before any type arguments. */
static size_t path_length(struct str name)
{
    size_t end = str_find(name, '[');
    size_t slash = str_rfind(str_head(name, end), '/');

    /* "main.(*T[go.shape.int]).f(a/b)" cannot be; a '/' behind a '(' is
     * part of a receiver, not of a path. */
    return slash < end ? slash + 1 : 0;
}

/* Cuts ".../vendor/" and a leading "vendor/" off a path. */
static struct str without_vendor(struct str name)
{
    struct str path = str_head(name, path_length(name));
    struct str mark = STR("/vendor/");
    size_t cut = 0;

    if (str_starts(path, STR("vendor/")))
        cut = 7;
    for (;;) {
        size_t at = str_search(str_skip(path, cut), mark);

        if (cut + at + mark.len > path.len)
            break;
        cut += at + mark.len;
    }
    return cut < name.len ? str_skip(name, cut) : name;
}

/* cmd/internal/objabi/path.go: PathToPrefix writes lower-case hex. */
static void add_unescaped(struct buf *buf, struct str text)
{
    while (text.len) {
        struct str digits = str_head(str_skip(text, 1), 2);
        uint64_t byte = 0;

        if (text.ptr[0] == '%' && digits.len == 2 &&
            str_cut_hex(&digits, &byte) && digits.len == 0) {
            buf_add_char(buf, (char)byte);
            text = str_skip(text, 3);
        } else {
            buf_add_char(buf, text.ptr[0]);
            text = str_skip(text, 1);
        }
    }
}

/* The length of a bracketed group at the front of text, or 0 when it is not
 * closed. */
static size_t group_length(struct str text)
{
    size_t depth = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '[')
            depth++;
        else if (text.ptr[i] == ']' && --depth == 0)
            return i + 1;
    }
    return 0;
}

static void add_without_shapes(struct buf *buf, struct str text)
{
    while (text.len) {
        size_t at = str_find(text, '[');
        size_t group;

        buf_add(buf, str_head(text, at));
        text = str_skip(text, at);
        if (!text.len)
            return;
        group = group_length(text);
        if (!group) {
            buf_add(buf, text);
            return;
        }
        buf_add(buf, STR("[...]"));
        text = str_skip(text, group);
    }
}

void name_canonical_add(struct buf *buf, struct str printed)
{
    struct str name = without_vendor(printed);
    size_t path = path_length(name);
    size_t dot = str_find(str_skip(name, path), '.');
    size_t package = dot < name.len - path ? path + dot : path;

    add_unescaped(buf, str_head(name, package));
    add_without_shapes(buf, str_skip(name, package));
}

/* "v3." behind "gopkg.in/acme/leaky." belongs to the package, and so does
 * "go." behind "github.com/nats-io/nats.": no function can have that name. */
static size_t version_length(struct str text)
{
    size_t i = 1;

    if (str_starts(text, STR("go.")))
        return 2;
    if (text.len < 3 || text.ptr[0] != 'v')
        return 0;
    while (i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9')
        i++;
    return i > 1 && i < text.len && text.ptr[i] == '.' ? i : 0;
}

struct str name_package(struct str name)
{
    size_t path = path_length(name);
    struct str rest = str_skip(name, path);
    size_t dot = str_find(rest, '.');
    size_t version;

    if (dot == rest.len)
        return (struct str){name.ptr, 0};
    version = path ? version_length(str_skip(rest, dot + 1)) : 0;
    if (version)
        dot += 1 + version;
    return str_head(name, path + dot);
}

struct str name_symbol(struct str name)
{
    size_t package = name_package(name).len;

    return package ? str_skip(name, package + 1) : name;
}

bool name_is_std(struct str name)
{
    /* The top-level directories of GOROOT/src, Go 1.15 to 1.27. */
    static const struct str tops[] = {
        STR_INIT("archive"),  STR_INIT("bufio"),    STR_INIT("bytes"),
        STR_INIT("cmp"),      STR_INIT("compress"), STR_INIT("container"),
        STR_INIT("context"),  STR_INIT("crypto"),   STR_INIT("database"),
        STR_INIT("debug"),    STR_INIT("embed"),    STR_INIT("encoding"),
        STR_INIT("errors"),   STR_INIT("expvar"),   STR_INIT("flag"),
        STR_INIT("fmt"),      STR_INIT("go"),       STR_INIT("hash"),
        STR_INIT("html"),     STR_INIT("image"),    STR_INIT("index"),
        STR_INIT("internal"), STR_INIT("io"),       STR_INIT("iter"),
        STR_INIT("log"),      STR_INIT("maps"),     STR_INIT("math"),
        STR_INIT("mime"),     STR_INIT("net"),      STR_INIT("os"),
        STR_INIT("path"),     STR_INIT("plugin"),   STR_INIT("reflect"),
        STR_INIT("regexp"),   STR_INIT("runtime"),  STR_INIT("slices"),
        STR_INIT("sort"),     STR_INIT("strconv"),  STR_INIT("strings"),
        STR_INIT("structs"),  STR_INIT("sync"),     STR_INIT("syscall"),
        STR_INIT("testing"),  STR_INIT("text"),     STR_INIT("time"),
        STR_INIT("unicode"),  STR_INIT("unique"),   STR_INIT("unsafe"),
        STR_INIT("weak"),
    };
    struct str package = name_package(name);
    struct str top = str_head(package, str_find(package, '/'));

    if (!package.len)
        return true;
    for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
        if (str_equal(top, tops[i]))
            return true;
    }
    return false;
}

bool name_is_runtime(struct str name)
{
    struct str package = name_package(name);

    return !package.len || str_equal(package, STR("runtime")) ||
           str_starts(package, STR("internal/runtime/")) ||
           str_starts(package, STR("runtime/internal/"));
}

bool name_is_entry(struct str name)
{
    return str_equal(name, STR("runtime.goexit")) ||
           str_equal(name, STR("runtime.main"));
}

/* Whether name ends in a dot, the word and digits: "main.main.gowrap1". */
static bool ends_in_numbered(struct str name, struct str word)
{
    while (name.len && name.ptr[name.len - 1] >= '0' &&
           name.ptr[name.len - 1] <= '9')
        name.len--;
    return str_ends(name, word) && name.len > word.len;
}

bool name_is_unstable(struct str name)
{
    return name_is_runtime(name) || str_ends(name, STR("-fm")) ||
           ends_in_numbered(name, STR(".gowrap")) ||
           ends_in_numbered(name, STR(".deferwrap")) ||
           ends_in_numbered(name, STR("\302\267dwrap\302\267"));
}

bool file_is_foreign(struct str path)
{
    return str_contains(path, STR("/pkg/mod/")) ||
           str_contains(path, STR("@v")) ||
           str_contains(path, STR("/vendor/")) ||
           str_starts(path, STR("vendor/"));
}

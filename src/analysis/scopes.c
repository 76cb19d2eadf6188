#include "analysis/scopes.h"

#include "base/hash.h"
#include "model/name.h"

struct scope_name scope_name(struct str function)
{
    struct scope_name scope = {.package = name_package(function)};
    struct str symbol = scope.package.len ? name_symbol(function) : function;
    size_t end = 0;

    str_cut_prefix(&symbol, STR("(*"));
    while (end < symbol.len && symbol.ptr[end] != '.' &&
           symbol.ptr[end] != ')' && symbol.ptr[end] != '[')
        end++;
    scope.name = str_head(symbol, end);
    return scope;
}

scope_id scope_of(struct str function)
{
    struct scope_name scope = scope_name(function);
    uint64_t hash;

    if (!function.len)
        return 0;
    hash = hash_mix(hash_bytes(scope.package.ptr, scope.package.len),
                    hash_bytes(scope.name.ptr, scope.name.len));
    return hash ? hash : 1;
}

static bool is_sync(struct str function)
{
    return str_equal(name_package(function), STR("sync"));
}

scope_id scope_at(const struct symbols *symbols, struct stack stack,
                  uint32_t index)
{
    struct str function = symbols_function(symbols, stack.frames[index]);
    scope_id own = scope_of(function);

    if (!is_sync(function))
        return own;
    for (uint32_t i = index + 1; i < stack.n_frames; i++) {
        struct str caller = symbols_function(symbols, stack.frames[i]);

        if (!is_sync(caller))
            return hash_mix(own, scope_of(caller));
    }
    return own;
}

/* Cuts digits off the end of *text; whether there were some. */
static bool cut_digits(struct str *text)
{
    size_t len = text->len;

    while (len && text->ptr[len - 1] >= '0' && text->ptr[len - 1] <= '9')
        len--;
    if (len == text->len)
        return false;
    text->len = len;
    return true;
}

struct str closure_parent(struct str function)
{
    struct str parent = function;

    if (!cut_digits(&parent))
        return (struct str){0};
    if (str_cut_suffix(&parent, STR(".func")) ||
        str_cut_suffix(&parent, STR(".gowrap")) ||
        str_cut_suffix(&parent, STR(".deferwrap")) ||
        str_cut_suffix(&parent, STR("·dwrap·")) ||
        str_cut_suffix(&parent, STR(".")))
        return parent;
    return (struct str){0};
}

bool closure_is_in(struct str closure, struct str function)
{
    for (unsigned k = 0; k < CLOSURES_DEEP && closure.len; k++) {
        closure = closure_parent(closure);
        if (closure.len && str_equal(closure, function))
            return true;
    }
    return false;
}

bool scope_is_type(struct str function)
{
    struct str symbol;

    for (struct str outer = function; outer.len; outer = closure_parent(outer))
        function = outer;
    symbol = name_symbol(function);
    return str_find(symbol, '.') < symbol.len;
}

uint32_t stack_entry(const struct symbols *symbols, struct stack stack)
{
    uint32_t i = stack.n_frames;

    while (i && str_equal(name_package(
                              symbols_function(symbols, stack.frames[i - 1])),
                          STR("runtime")))
        i--;
    return i ? i - 1 : stack.n_frames;
}

uint32_t stack_begun(const struct symbols *symbols, struct stack stack,
                     frame_id created_by)
{
    uint32_t entry = stack_entry(symbols, stack);
    struct str parent;

    if (entry == stack.n_frames || !entry || !created_by)
        return entry;
    parent = closure_parent(symbols_function(symbols, stack.frames[entry]));
    return parent.len &&
                   str_equal(parent, symbols_function(symbols, created_by)) &&
                   symbols_frame(symbols, stack.frames[entry]).line ==
                       symbols_frame(symbols, created_by).line
               ? entry - 1
               : entry;
}

bool is_closure_of(const struct symbols *symbols, struct stack stack,
                   struct str function)
{
    for (uint32_t i = 0; i < stack.n_frames; i++) {
        if (closure_is_in(symbols_function(symbols, stack.frames[i]), function))
            return true;
    }
    return false;
}

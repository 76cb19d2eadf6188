#include "report/json_fields.h"

enum { SHARE_DIGITS = 6 };

void field_share(struct json *json, double share)
{
    json_put_key(json, "share");
    json_put_double(json, share, SHARE_DIGITS);
}

void field_place_parts(struct json *json, const struct code_place *place)
{
    field_str(json, "function", place->function);
    field_str_or_null(json, "file", place->file);
    field_u64_or_null(json, "line", place->line > 0, place->line);
}

/* A place as an object, or null when it is not known. */
void field_place(struct json *json, const char *key,
                 const struct code_place *place)
{
    json_put_key(json, key);
    if (!place->function.len) {
        json_put_null(json);
        return;
    }
    json_open_object_flat(json);
    field_place_parts(json, place);
    json_close_object(json);
}

void field_texts(struct json *json, const char *key, struct rule_texts texts)
{
    json_put_key(json, key);
    json_open_array(json);
    for (size_t i = 0; i < texts.count; i++)
        json_put_string(json, texts.items[i]);
    json_close_array(json);
}

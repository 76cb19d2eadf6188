/* yaml_error.h - what libyaml refuses, in words that say what to change.
 *
 * The parser's own problems name its states ("did not find expected key");
 * people who write rules need to hear about quotes, tabs and indentation. */
#ifndef RULES_YAML_ERROR_H
#define RULES_YAML_ERROR_H

#include <yaml.h>

#include "rules/source.h"

/* The byte offset of a character of the source: libyaml's marks count
 * characters. Beyond the end it is the length of the text. */
uint32_t source_char_offset(const struct source *source, size_t index);

/* Fills *err from the problem of a parser whose last call failed. Returns the
 * error's code: CPROF_ERULE, or CPROF_ENOMEM. */
int yaml_error(const struct source *source, const yaml_parser_t *parser,
               struct cprof_error *err);

#endif

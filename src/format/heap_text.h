/* heap_text.h - heap and allocs profiles with ?debug=1, and those that C and
 * C++ programs write with gperftools. */
#ifndef FORMAT_HEAP_TEXT_H
#define FORMAT_HEAP_TEXT_H

#include "format/format.h"

extern const struct format heap_text_format;

#endif

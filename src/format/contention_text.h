/* contention_text.h - block and mutex profiles with ?debug=1, and the
 * contention profiles that C and C++ programs write with gperftools. */
#ifndef FORMAT_CONTENTION_TEXT_H
#define FORMAT_CONTENTION_TEXT_H

#include "format/format.h"

extern const struct format contention_text_format;

#endif

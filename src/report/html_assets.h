/* html_assets.h - what every HTML report carries inside: its style and its
 * script, from the files in page/ (scripts/embed_page.sh). */
#ifndef REPORT_HTML_ASSETS_H
#define REPORT_HTML_ASSETS_H

#include <stddef.h>

struct html_asset {
    const char *text; /* NUL-terminated behind its len bytes */
    size_t len;
    const char *sha256; /* of these bytes, in base64 */
};

extern const struct html_asset html_style;
extern const struct html_asset html_script;

#endif

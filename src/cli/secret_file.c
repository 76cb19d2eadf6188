#include "cli/secret_file.h"

#include "base/error.h"
#include "input/source.h"

int secret_file_read(struct secret_file *ret, const char *path,
                     struct cprof_error *err)
{
    struct source source;
    ptrdiff_t n;
    int rc = source_open(&source, path, err);

    if (rc < 0)
        return rc;
    ret->len = 0;
    while (ret->len < sizeof(ret->bytes) &&
           (n = source.read(source.user, ret->bytes + ret->len,
                            sizeof(ret->bytes) - ret->len))) {
        if (n < 0) {
            rc = error_system(err, (struct place){path, 0, 0}, "cannot read");
            break;
        }
        ret->len += (size_t)n;
    }
    source_close(&source);
    return rc;
}

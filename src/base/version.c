#include "base/version.h"

#include "cprof/cprof.h"

const char *const cprof_version_text = CPROF_VERSION;

const char *cprof_version(void)
{
    return cprof_version_text;
}

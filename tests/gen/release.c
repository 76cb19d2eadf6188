#include "release.h"

#include <stdio.h>
#include <string.h>

bool release_parse(struct release *release, const char *text)
{
    static const unsigned first[N_ERAS] = {
        [ERA_15] = 15, [ERA_17] = 17, [ERA_20] = 20, [ERA_24] = 24};

    for (unsigned minor = GO_OLDEST; minor <= GO_NEWEST; minor++) {
        char known[8];
        enum era era = ERA_15;

        snprintf(known, sizeof(known), "1.%u", minor);
        if (strcmp(known, text) != 0)
            continue;
        while (era + 1 < N_ERAS && first[era + 1] <= minor)
            era++;
        *release = (struct release){.minor = minor, .era = era};
        return true;
    }
    return false;
}

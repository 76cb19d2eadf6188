#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

enum { COLUMNS_LEAST = 40, COLUMNS_MOST = 200 };

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && value[0];
}

static bool equals(const char *name, const char *expected)
{
    const char *value = getenv(name);

    return value && str_equal(str_from(value), str_from(expected));
}

/* Whether a variable that forces colours does: "0" says that it does not. */
static bool forces(const char *name)
{
    return is_set(name) && !equals(name, "0") && !equals(name, "false");
}

/* no-color.org, bixense.com/clicolors and force-color.org, in that order. */
static bool wants_color(const struct arguments *arguments)
{
    if (arguments->color != COLOR_AUTO)
        return arguments->color == COLOR_ALWAYS;
    if (arguments->output_file || is_set("NO_COLOR") || equals("CLICOLOR", "0"))
        return false;
    if (forces("CLICOLOR_FORCE") || forces("FORCE_COLOR"))
        return true;
    return isatty(STDOUT_FILENO) && !equals("TERM", "dumb");
}

static unsigned columns(const struct arguments *arguments)
{
    struct winsize size = {0};
    uint64_t wanted = 0;
    const char *text = getenv("COLUMNS");

    if (arguments->output_file)
        return 0;
    if (!(text && str_to_u64(str_from(text), &wanted)) &&
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        wanted = size.ws_col;
    if (!wanted)
        return 0;
    return wanted < COLUMNS_LEAST  ? COLUMNS_LEAST
           : wanted > COLUMNS_MOST ? COLUMNS_MOST
                                   : (unsigned)wanted;
}

int terminal_settle(const struct arguments *arguments, struct cprof_error *err)
{
    char text[16];
    int rc = 0;

    if (wants_color(arguments))
        rc = cprof_options_set(arguments->options, "color", NULL, err);
    if (rc == 0 && !arguments->output_file && isatty(STDOUT_FILENO))
        rc = cprof_options_set(arguments->options, "hint", NULL, err);
    if (rc < 0 || !columns(arguments))
        return rc;
    snprintf(text, sizeof(text), "%u", columns(arguments));
    return cprof_options_set(arguments->options, "columns", text, err);
}

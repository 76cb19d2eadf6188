#include "cli/rules_ahead.h"

#include <sched.h>
#include <sys/stat.h>

#include "model/options.h"

/* Bytes of a file that take longer to read than a thread to begin. */
enum { FILE_LEAST = 1 << 20 };

static bool has_large_file(const struct arguments *arguments)
{
    struct stat about;

    for (size_t i = 0; i < arguments->n_inputs; i++) {
        if (stat(arguments->inputs[i], &about) == 0 && S_ISREG(about.st_mode) &&
            about.st_size >= FILE_LEAST)
            return true;
    }
    return false;
}

static void *load(void *user)
{
    struct rules_ahead *ahead = user;

    ahead->rc = rules_new(&ahead->rules, &ahead->budget, &ahead->err);
    if (ahead->rc == 0)
        ahead->rc = rules_load_chosen(ahead->rules, ahead->arguments->options,
                                      &ahead->err);
    return NULL;
}

/* Starts the thread on another processor than this one, where there is one:
 * Linux may start it here, and then it begins when reading has ended. */
static bool start(struct rules_ahead *ahead)
{
    pthread_attr_t attributes;
    cpu_set_t others;
    int here = sched_getcpu();
    int rc;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    if (sched_getaffinity(0, sizeof(others), &others) == 0 && here >= 0 &&
        here < CPU_SETSIZE && CPU_COUNT(&others) > 1) {
        CPU_CLR((size_t)here, &others);
        pthread_attr_setaffinity_np(&attributes, sizeof(others), &others);
    }
    rc = pthread_create(&ahead->thread, &attributes, load, ahead);
    pthread_attr_destroy(&attributes);
    return rc == 0;
}

void rules_ahead_begin(struct rules_ahead *ahead,
                       const struct arguments *arguments)
{
    *ahead = (struct rules_ahead){.arguments = arguments};
    budget_init(&ahead->budget, 0);
    ahead->has_thread = arguments->options->threads > 1 &&
                        has_large_file(arguments) && start(ahead);
}

int rules_ahead_wait(struct rules_ahead *ahead, struct cprof_error *err)
{
    if (ahead->has_thread)
        pthread_join(ahead->thread, NULL);
    ahead->has_thread = false;
    if (ahead->rc < 0)
        *err = ahead->err;
    return ahead->rc;
}

void rules_ahead_done(struct rules_ahead *ahead)
{
    struct cprof_error err;

    rules_ahead_wait(ahead, &err);
    rules_free(ahead->rules);
    ahead->rules = NULL;
}

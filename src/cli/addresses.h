/* addresses.h - inputs that are addresses of running programs.
 *
 * Nothing here costs anything while no address is given: libcurl is loaded at
 * the first one. */
#ifndef CLI_ADDRESSES_H
#define CLI_ADDRESSES_H

#include "cli/capture.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "fetch/address.h"
#include "fetch/targets.h"

/* The defaults of all options. */
struct address_arguments address_arguments_default(void);

/* Sets an option by its long name; CPROF_EUSAGE says what it takes. */
int address_option_set(struct address_arguments *arguments, const char *name,
                       const char *value, struct cprof_error *err);

/* Secrets that requests carry; "" = none. */
struct secrets {
    char user[1024];
    char bearer[8192];
};

/* Reads secrets from the files of the options, or else from the environment. No
 * message ever shows one. */
int secrets_read(struct secrets *ret, const struct address_arguments *arguments,
                 struct cprof_error *err);

/* The folder of temporary files. */
const char *addresses_temporary_folder(void);

/* Whether an input is an address: by its form, and, for "host:port", because
 * there is no such file. */
bool address_is(const char *input);

/* The addresses of a command, asked a few at a time. */
struct addresses;

/* Fails when an input that is no file looks like an address that is not asked:
 * it may hold a password, which the error about a missing file would repeat. */
int addresses_check_path(const char *input, struct cprof_error *err);

/* Whether the addresses among the inputs make sense, before any is asked. */
int addresses_check(const struct arguments *arguments, struct cprof_error *err);

/* Prepares to ask all addresses: those among the inputs in their order, then
 * the targets of the file. *ret is NULL when there is none. */
int addresses_new(struct addresses **ret, const struct arguments *arguments,
                  struct cprof_error *err);
void addresses_free(struct addresses *addresses);

/* How many there are; addresses may be NULL. */
size_t addresses_count(const struct addresses *addresses);

/* One of them, and the group of targets that it came from: NULL when it was
 * named itself. */
const struct address *addresses_get(const struct addresses *addresses,
                                    size_t index);
const struct target_group *addresses_group(const struct addresses *addresses,
                                           size_t index);

/* Waits for the answer of the address with an index and reads it, through
 * capture unless that is NULL. */
int addresses_read(struct addresses *addresses, size_t index,
                   struct cprof_snapshots *snapshots, struct capture *capture,
                   struct cprof_error *err);

/* Asks an address once more, for its stacks with ids and ages (debug=2), and
 * appends at most `most` bytes of the answer to a spool. CPROF_EUSAGE: the
 * address says itself what is asked for. */
int addresses_fetch_stacks(struct addresses *addresses, size_t index,
                           struct spool *into, uint64_t most,
                           struct cprof_error *err);

/* Asks one address that was read for its leak profile, and reads that. A
 * program that has none is no failure, but a diagnostic. */
int addresses_read_leak(struct addresses *addresses, size_t index,
                        struct cprof_snapshots *snapshots,
                        struct cprof_error *err);

/* Asks all addresses that were read for their leak profiles, and reads these. A
 * program that has none is no failure, but a diagnostic. Failures are printed;
 * returns how many. */
size_t addresses_read_leaks(struct addresses *addresses,
                            struct cprof_snapshots *snapshots);

#endif

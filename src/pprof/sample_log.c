#include "pprof/sample_log.h"

enum {
    CHUNK_FIRST = 4 * 1024,
    CHUNK_MOST = 1024 * 1024,
    NUMBER_MOST = 10,  /* bytes of one number */
    LABEL_NUMBERS = 4, /* numbers of one label */
    SAMPLE_HEAD = 3,   /* numbers before the lists of a sample */
    FIRST_SIZE = 32,
};

struct sample_chunk {
    struct sample_chunk *next;
    size_t size; /* of the whole block */
    size_t used; /* of data */
    unsigned char data[];
};

void sample_log_init(struct sample_log *log, struct budget *budget, size_t most)
{
    *log = (struct sample_log){.budget = budget, .most = most};
}

static void free_first(struct sample_log *log)
{
    struct sample_chunk *chunk = log->first;

    log->first = chunk->next;
    if (!log->first)
        log->last = NULL;
    log->used -= chunk->size;
    budget_free(log->budget, chunk, chunk->size);
}

void sample_log_done(struct sample_log *log)
{
    while (log->first)
        free_first(log);
    budget_free(log->budget, log->locations,
                log->size_locations * sizeof(*log->locations));
    budget_free(log->budget, log->values,
                log->size_values * sizeof(*log->values));
    budget_free(log->budget, log->labels,
                log->size_labels * sizeof(*log->labels));
    sample_log_init(log, log->budget, log->most);
}

/* Room for n elements in one of the arrays that samples are read into, whose
 * old content is of no use. */
static bool make_room(struct sample_log *log, void **array, size_t *size,
                      size_t n, size_t element)
{
    size_t grown = *size ? *size : FIRST_SIZE;
    void *larger;

    if (n <= *size)
        return true;
    while (grown < n && grown <= SIZE_MAX / 2 / element)
        grown *= 2;
    if (grown < n)
        return false;
    larger = budget_resize(log->budget, NULL, 0, grown * element);
    if (!larger)
        return false;
    budget_free(log->budget, *array, *size * element);
    *array = larger;
    *size = grown;
    return true;
}

static bool make_all_room(struct sample_log *log,
                          const struct profile_sample *sample)
{
    void *locations = log->locations;
    void *values = log->values;
    void *labels = log->labels;
    bool done = make_room(log, &locations, &log->size_locations,
                          sample->n_locations, sizeof(*log->locations)) &&
                make_room(log, &values, &log->size_values, sample->n_values,
                          sizeof(*log->values)) &&
                make_room(log, &labels, &log->size_labels, sample->n_labels,
                          sizeof(*log->labels));

    log->locations = locations;
    log->values = values;
    log->labels = labels;
    return done;
}

/* The last chunk, with room for that many bytes; NULL without memory. Chunks
 * double in size, so that a small profile stays small. */
static struct sample_chunk *chunk_for(struct sample_log *log, size_t bytes)
{
    struct sample_chunk *chunk = log->last;
    size_t size = chunk ? chunk->size * 2 : CHUNK_FIRST;

    if (chunk && chunk->size - sizeof(*chunk) - chunk->used >= bytes)
        return chunk;
    if (size > CHUNK_MOST)
        size = CHUNK_MOST;
    if (size < sizeof(*chunk) + bytes)
        size = sizeof(*chunk) + bytes;
    if (size > log->most || log->used > log->most - size)
        return NULL;
    chunk = budget_resize(log->budget, NULL, 0, size);
    if (!chunk)
        return NULL;
    *chunk = (struct sample_chunk){.size = size};
    if (log->last)
        log->last->next = chunk;
    else
        log->first = chunk;
    log->last = chunk;
    log->used += size;
    return chunk;
}

static unsigned char *put(unsigned char *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (unsigned char)(number | 0x80);
    *at++ = (unsigned char)number;
    return at;
}

/* Small negative numbers as small ones without a sign. */
static unsigned char *put_signed(unsigned char *at, int64_t number)
{
    uint64_t bits = (uint64_t)number << 1;

    return put(at, number < 0 ? ~bits : bits);
}

bool sample_log_add(struct sample_log *log, const struct profile_sample *sample)
{
    size_t most;
    struct sample_chunk *chunk;
    unsigned char *at;

    if (sample->n_locations > UINT32_MAX || sample->n_labels > UINT32_MAX ||
        sample->n_values > UINT32_MAX || !make_all_room(log, sample))
        return false;
    most = (sample->n_locations + sample->n_values + SAMPLE_HEAD +
            sample->n_labels * LABEL_NUMBERS) *
           NUMBER_MOST;
    chunk = chunk_for(log, most);
    if (!chunk)
        return false;
    at = chunk->data + chunk->used;
    at = put(at, sample->n_locations);
    at = put(at, sample->n_values);
    at = put(at, sample->n_labels);
    for (size_t i = 0; i < sample->n_locations; i++)
        at = put(at, sample->locations[i]);
    for (size_t i = 0; i < sample->n_values; i++)
        at = put_signed(at, sample->values[i]);
    for (size_t i = 0; i < sample->n_labels; i++) {
        at = put(at, sample->labels[i].key);
        at = put(at, sample->labels[i].text);
        at = put(at, sample->labels[i].unit);
        at = put_signed(at, sample->labels[i].number);
    }
    chunk->used = (size_t)(at - chunk->data);
    log->count++;
    return true;
}

static const unsigned char *get(const unsigned char *at, uint64_t *ret)
{
    uint64_t number = 0;
    unsigned shift = 0;

    for (; *at >= 0x80; shift += 7)
        number |= (uint64_t)(*at++ & 0x7f) << shift;
    *ret = number | (uint64_t)*at++ << shift;
    return at;
}

static const unsigned char *get32(const unsigned char *at, uint32_t *ret)
{
    uint64_t number;

    at = get(at, &number);
    *ret = (uint32_t)number;
    return at;
}

static const unsigned char *get_signed(const unsigned char *at, int64_t *ret)
{
    uint64_t bits;

    at = get(at, &bits);
    *ret = (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
    return at;
}

static const unsigned char *get_sample(struct sample_log *log,
                                       const unsigned char *at,
                                       struct profile_sample *ret)
{
    uint32_t n_locations;
    uint32_t n_values;
    uint32_t n_labels;

    at = get32(at, &n_locations);
    at = get32(at, &n_values);
    at = get32(at, &n_labels);
    for (uint32_t i = 0; i < n_locations; i++)
        at = get32(at, &log->locations[i]);
    for (uint32_t i = 0; i < n_values; i++)
        at = get_signed(at, &log->values[i]);
    for (uint32_t i = 0; i < n_labels; i++) {
        at = get32(at, &log->labels[i].key);
        at = get32(at, &log->labels[i].text);
        at = get32(at, &log->labels[i].unit);
        at = get_signed(at, &log->labels[i].number);
    }
    *ret = (struct profile_sample){log->locations, n_locations, log->values,
                                   n_values,       log->labels, n_labels};
    return at;
}

void sample_log_each(struct sample_log *log, bool is_last,
                     sample_visit_fn *visit, void *user)
{
    struct sample_chunk *chunk = log->first;

    while (chunk) {
        const unsigned char *at = chunk->data;
        const unsigned char *end = chunk->data + chunk->used;
        struct profile_sample sample;

        while (at < end) {
            at = get_sample(log, at, &sample);
            visit(user, &sample);
        }
        chunk = chunk->next;
        if (is_last)
            free_first(log);
    }
    if (is_last)
        log->count = 0;
}

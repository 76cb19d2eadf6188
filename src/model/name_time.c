#include "model/name_time.h"

enum {
    YEAR_LEAST = 2009, /* the first Go program */
    YEAR_MOST = 2100,
    UNIX_LEAST = 1230768000, /* seconds: 2009 */
    UNIX_DIGITS = 10,
    UNIX_DIGITS_MS = 13,
};

static const int64_t second_ns = 1000000000;   /* nanoseconds */
static const int64_t unix_most_s = 4102444800; /* seconds: 2100 */

struct clock_time {
    int64_t year, month, day, hour, minute, second;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes n digits off the front. */
static bool cut_digits(struct str *text, size_t n, int64_t *ret)
{
    *ret = 0;
    if (text->len < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(text->ptr[i]))
            return false;
        *ret = *ret * 10 + (text->ptr[i] - '0');
    }
    *text = str_skip(*text, n);
    return true;
}

/* Takes one of these characters off the front, if one is there. */
static bool cut_any(struct str *text, const char *characters)
{
    for (; text->len && *characters; characters++) {
        if (text->ptr[0] == *characters) {
            *text = str_skip(*text, 1);
            return true;
        }
    }
    return false;
}

/* Days from 1970 to a date of the Gregorian calendar, years counted from
 * March, so that the leap day is the last of them. */
static int64_t days_of(const struct clock_time *time)
{
    int64_t year = time->month > 2 ? time->year : time->year - 1;
    int64_t month = (time->month + 9) % 12;
    int64_t days = year * 365 + year / 4 - year / 100 + year / 400;

    return days + (month * 306 + 5) / 10 + time->day - 1 - 719468;
}

static int64_t seconds_of(const struct clock_time *time)
{
    return ((days_of(time) * 24 + time->hour) * 60 + time->minute) * 60 +
           time->second;
}

static int64_t days_in_month(const struct clock_time *time)
{
    struct clock_time next = {
        time->year + time->month / 12, time->month % 12 + 1, 1, 0, 0, 0};
    struct clock_time first = {time->year, time->month, 1, 0, 0, 0};

    return days_of(&next) - days_of(&first);
}

static bool is_sane(const struct clock_time *time)
{
    return time->year >= YEAR_LEAST && time->year < YEAR_MOST &&
           time->month >= 1 && time->month <= 12 && time->day >= 1 &&
           time->day <= days_in_month(time) && time->hour < 24 &&
           time->minute < 60 && time->second < 62;
}

/* Takes a date and a time of day off the front, with any of the usual marks
 * between their parts, or none. */
static bool cut_time(struct str *text, struct clock_time *ret)
{
    *ret = (struct clock_time){0};
    if (!cut_digits(text, 4, &ret->year))
        return false;
    cut_any(text, "-._");
    if (!cut_digits(text, 2, &ret->month))
        return false;
    cut_any(text, "-._");
    if (!cut_digits(text, 2, &ret->day))
        return false;
    cut_any(text, "Tt_- .");
    if (!cut_digits(text, 2, &ret->hour))
        return false;
    cut_any(text, ":-._h");
    if (!cut_digits(text, 2, &ret->minute))
        return false;
    cut_any(text, ":-._m");
    if (!cut_digits(text, 2, &ret->second))
        ret->second = 0;
    return is_sane(ret);
}

/* Takes a fraction of a second off the front: ".5". */
static int64_t cut_fraction(struct str *text)
{
    int64_t value = 0;
    int64_t unit = second_ns;

    if (text->len < 2 || text->ptr[0] != '.' || !is_digit(text->ptr[1]))
        return 0;
    *text = str_skip(*text, 1);
    while (text->len && is_digit(text->ptr[0])) {
        unit /= 10;
        value += (text->ptr[0] - '0') * unit;
        *text = str_skip(*text, 1);
    }
    return value;
}

/* Takes a zone off the front, Z or +02:00, and stores its seconds. */
static bool cut_zone(struct str *text, int64_t *ret)
{
    int64_t sign = text->len && text->ptr[0] == '-' ? -1 : 1;
    int64_t hours;
    int64_t minutes;

    *ret = 0;
    if (cut_any(text, "Zz"))
        return true;
    if (!cut_any(text, "+-") || !cut_digits(text, 2, &hours))
        return false;
    cut_any(text, ":");
    if (!cut_digits(text, 2, &minutes) || hours > 14 || minutes > 59)
        return false;
    *ret = sign * (hours * 60 + minutes) * 60;
    return true;
}

bool rfc3339_parse(struct str text, int64_t *ret_ns)
{
    struct clock_time time;
    int64_t fraction;
    int64_t zone = 0;

    if (!cut_time(&text, &time))
        return false;
    fraction = cut_fraction(&text);
    if (text.len && (!cut_zone(&text, &zone) || text.len))
        return false;
    *ret_ns = (seconds_of(&time) - zone) * second_ns + fraction;
    return true;
}

/* The number of digits that a text begins with. */
static size_t count_digits(struct str text)
{
    size_t n = 0;

    while (n < text.len && is_digit(text.ptr[n]))
        n++;
    return n;
}

static bool read_unix(struct str text, size_t n, int64_t *ret_ns)
{
    int64_t unit = n == UNIX_DIGITS ? 1 : 1000; /* of a second */
    int64_t value;

    if ((n != UNIX_DIGITS && n != UNIX_DIGITS_MS) ||
        !cut_digits(&text, n, &value) || value < UNIX_LEAST * unit ||
        value >= unix_most_s * unit)
        return false;
    *ret_ns = value * (second_ns / unit);
    return true;
}

bool name_time_find(struct str path, int64_t *ret_ns)
{
    size_t slash = path.len;

    while (slash && path.ptr[slash - 1] != '/')
        slash--;
    path = str_skip(path, slash);
    while (path.len) {
        size_t n = count_digits(path);
        struct str text = path;
        struct clock_time time;
        int64_t zone = 0;

        if (!n) {
            path = str_skip(path, 1);
            continue;
        }
        if (n >= 4 && n != UNIX_DIGITS && n != UNIX_DIGITS_MS &&
            cut_time(&text, &time)) {
            int64_t fraction = cut_fraction(&text);
            struct str rest = text;

            if (!cut_zone(&rest, &zone))
                zone = 0;
            *ret_ns = (seconds_of(&time) - zone) * second_ns + fraction;
            return true;
        }
        if (read_unix(path, n, ret_ns))
            return true;
        path = str_skip(path, n);
    }
    return false;
}

bool day_is_valid(struct str text)
{
    struct clock_time time = {0};

    if (!cut_digits(&text, 4, &time.year) || !str_cut_prefix(&text, STR("-")) ||
        !cut_digits(&text, 2, &time.month) ||
        !str_cut_prefix(&text, STR("-")) || !cut_digits(&text, 2, &time.day))
        return false;
    return !text.len && time.month >= 1 && time.month <= 12 && time.day >= 1 &&
           time.day <= days_in_month(&time);
}

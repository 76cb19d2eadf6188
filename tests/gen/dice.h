/* dice.h - random numbers that are the same on every machine.
 *
 * xoshiro256** of Blackman and Vigna, seeded by splitmix64: quick, and good
 * enough for made-up addresses. Nothing here is fit for secrets. */
#ifndef GEN_DICE_H
#define GEN_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state[4];
};

/* Mixes all bits of a number (the last step of splitmix64). For properties that
 * belong to an index and must not depend on the order in which they are asked
 * for. */
static inline uint64_t dice_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Starts a sequence. Two streams of one seed have nothing in common, so that
 * one consumer may roll more often without moving another's numbers. */
static inline void dice_init(struct dice *dice, uint64_t seed, uint64_t stream)
{
    uint64_t x = dice_mix(seed) ^ dice_mix(~stream);

    for (unsigned i = 0; i < 4; i++)
        dice->state[i] = dice_mix(x + i);
}

/* Turns the bits of a number to the left; `by` is from 1 to 63. */
static inline uint64_t dice_rotate(uint64_t x, unsigned by)
{
    return (x << by) | (x >> (64 - by));
}

/* Returns the next 64 random bits. */
static inline uint64_t dice_roll(struct dice *dice)
{
    uint64_t *s = dice->state;
    uint64_t result = dice_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = dice_rotate(s[3], 45);
    return result;
}

/* Returns a number from 0 to n - 1; n must not be 0. The bias of one part in
 * 2^32 / n does not matter here. */
static inline uint32_t dice_below(struct dice *dice, uint32_t n)
{
    return (uint32_t)(((dice_roll(dice) >> 32) * n) >> 32);
}

/* Returns a number from 0 up to, not including, 1. */
static inline double dice_unit(struct dice *dice)
{
    return (double)(dice_roll(dice) >> 11) * 0x1p-53;
}

#endif

/* hash.h - the hash of tables: quick, and never seen outside a run.
 *
 * Signatures, which people store and compare, use XXH3-128 instead
 * (model/signature.h). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Mixes two words into one, so that every bit of both reaches every bit of
 * the result: the folded 128-bit product, or two rounds of 64-bit products
 * where the compiler has no such type. The words themselves are mixed in
 * again, because a factor of 0, which an input could choose, would forget the
 * other one. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);

    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ a ^ b;
#else
    uint64_t hash = (a ^ 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

    hash = (hash ^ hash >> 32 ^ b) * 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 29;
#endif
}

/* Hashes len bytes. */
static inline uint64_t hash_bytes(const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    uint64_t hash = len;
    uint64_t word;

    for (; len >= 8; at += 8, len -= 8) {
        memcpy(&word, at, 8);
        hash = hash_mix(hash, word);
    }
    if (len) {
        word = 0;
        memcpy(&word, at, len);
        hash = hash_mix(hash, word);
    }
    return hash_mix(hash, 0x2545f4914f6cdd1du);
}

#endif

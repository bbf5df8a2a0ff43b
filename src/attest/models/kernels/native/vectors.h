// Vectors of sixteen numbers in fp32; the numbers in memory are fp32 or bf16.
//
// The code is compiled without -ffast-math: NaN is kept, and the floating-point mode of the process is not changed.
//
// Types and shapes of arguments are declared and checked in Python (kernel.py), before a kernel is called. What only
// the numbers in a tensor decide, such as the rows of a sentence, kernels check themselves, before they write anything.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

// The answer of a kernel: null if it has computed its result, else what is wrong with the numbers that it was given.
typedef const char* Answer;
constexpr Answer done = nullptr;
constexpr Answer out_of_memory = "there is not enough memory for its buffers";

constexpr int64_t lanes = 16;
typedef float vec __attribute__((vector_size(4 * lanes)));
typedef int32_t ivec __attribute__((vector_size(4 * lanes)));
typedef uint32_t uvec __attribute__((vector_size(4 * lanes)));

// ---------------------------------------------------------------------------------------------------- memory

struct bfloat16 {
    uint16_t bits;
};
typedef uint16_t halves __attribute__((vector_size(2 * lanes)));

inline vec widened(halves x) { return (vec)(__builtin_convertvector(x, uvec) << 16); }

// Returns 16 numbers in bf16, rounded to the nearest, ties to even.
inline halves narrowed(vec x) {
    const uvec bits = (uvec)x;
    const uvec rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
    return __builtin_convertvector(x == x ? rounded : uvec{} + 0x7FC0u, halves);
}

// Returns the first `width` of 16 numbers; the others are zero.
inline vec load(const float* from, int64_t width) {
    vec x = {};
    if (width == lanes)
        __builtin_memcpy(&x, from, sizeof x);
    else
        for (int64_t k = 0; k < width; k++) x[k] = from[k];
    return x;
}

inline vec load(const bfloat16* from, int64_t width) {
    halves x = {};
    if (width == lanes)
        __builtin_memcpy(&x, from, sizeof x);
    else
        for (int64_t k = 0; k < width; k++) x[k] = from[k].bits;
    return widened(x);
}

inline void store(vec x, float* to, int64_t width) {
    if (width == lanes)
        __builtin_memcpy(to, &x, sizeof x);
    else
        for (int64_t k = 0; k < width; k++) to[k] = x[k];
}

inline void store(vec x, bfloat16* to, int64_t width) {
    const halves half = narrowed(x);
    if (width == lanes)
        __builtin_memcpy(to, &half, sizeof half);
    else
        for (int64_t k = 0; k < width; k++) to[k].bits = half[k];
}

// Returns the number of threads for so much work: waking threads takes longer than computing a few thousand numbers.
inline int team(int64_t numbers, int threads) { return numbers < 8192 ? 1 : threads; }

// Calls work(index, column, width) for each group of up to 16 numbers of a row.
template <typename Work>
Answer for_each_place(int64_t rows, int64_t features, int threads, Work work) {
#pragma omp parallel for num_threads(team(rows * features, threads)) schedule(static)
    for (int64_t row = 0; row < rows; row++) {
        const int64_t whole = features / lanes * lanes;
        for (int64_t column = 0; column < whole; column += lanes) work(row * features + column, column, lanes);
        if (whole < features) work(row * features + whole, whole, features - whole);
    }
    return done;
}

// Returns the answer of work(x), where x has the element type of a matrix, bfloat16 or float.
template <typename Work>
Answer with_type(bool half, Work work) {
    return half ? work(bfloat16{}) : work(0.0f);
}

// ------------------------------------------------------------------------------------------------ arithmetic

constexpr float log2_e = 1.44269504f;

// Returns 2^(x * factor) to 2 ulp if the result is a normal number. The NaN that arithmetic makes gives NaN; other
// patterns of a NaN's free bits, as in damaged memory, may not: asking for them takes as long as all the rest.
inline vec power_of_two(vec x, float factor) {
    const vec magic = vec{} + 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, in the low bits
    const vec shifted = x * factor + magic;
    const vec rest = x * factor - (shifted - magic);
    vec series = rest * 1.3276471520e-3f + 9.6755413307e-3f;
    series = series * rest + 5.5507132750e-2f;
    series = series * rest + 2.4022119724e-1f;
    series = series * rest + 6.9314696706e-1f;
    series = series * rest + 1.0000000717f;
    return (vec)((ivec)series + ((ivec)shifted << 23));
}

// Returns exp(x), with x limited to -87 .. 88.
inline vec exponential(vec x) {
    x = x < -87.0f ? vec{} - 87.0f : x;
    x = x > 88.0f ? vec{} + 88.0f : x;
    return power_of_two(x, log2_e);
}

// Returns 1 / x for positive x.
inline vec reciprocal(vec x) {
#ifdef __AVX512F__
    const vec guess = (vec)_mm512_rcp14_ps((__m512)x);
    return guess * (2.0f - x * guess);
#else
    return 1.0f / x;
#endif
}

// Returns 1 / (1 + exp(-x)).
inline vec sigmoid(vec x) { return 1.0f / (1.0f + exponential(-x)); }

// Returns tanh(x) with an absolute error of 1e-7, which for small x is not full precision.
inline vec tanh_of(vec x) { return 2.0f * sigmoid(2.0f * x) - 1.0f; }

}  // namespace

// The scores of keys and queries: DiSAN's c tanh((k + q) / c) and PSAN's elu(k + q).
//
// A score class computes weights exp(score - constant), where the constant of a query and feature cancels in the
// softmax, and slopes d score / d k = d score / d q, divided by the constant `unit`.

#pragma once

#include "vectors.h"

namespace {

// The words that each word may attend to: those from start to end - 1, counted within the sentence, and without the
// word itself if `skip_self` is true.
struct Allowed {
    const int32_t *start, *end;
    bool skip_self;

    // Calls visit(i) for each word i that word j may attend to, and returns their number.
    template <typename Visit>
    inline int64_t each(int64_t row, int64_t j, Visit visit) const {
        const int64_t from = start[row + j], to = end[row + j];
        const bool inside = skip_self && from <= j && j < to;
        const int64_t middle = inside ? j : to;
        for (int64_t i = from; i < middle; i++) visit(i);
        for (int64_t i = middle + 1; i < to; i++) visit(i);
        return std::max<int64_t>(0, to - from) - inside;
    }

    // Checks the ranges of the words of one sentence.
    bool inside(int64_t row, int64_t words) const {
        bool all = true;
        for (int64_t j = row; j < row + words; j++) all &= 0 <= start[j] && end[j] <= words;
        return all;
    }
};

// tanh(z / c) = 1 - 2 u with u = 1 / (1 + exp(2 z / c)). If keys and queries are moderate, exp(2 (k + q) / c) is the
// product of two exponentials that are computed once per word (`product`); if one is huge, the sum is computed first.
template <bool product>
struct Tanh {
    static constexpr float unit = 4.0f;
    const vec *keys, *queries;  // 2 k / c and 2 q / c, or their exponentials
    float factor;

    vec query(int64_t, int64_t j, const Allowed&) const { return queries[j]; }

    // exp(c tanh - c), which is never above 1.
    inline vec weight(int64_t i, vec query) const { return power_of_two(u(i, query), factor); }

    inline vec weight(int64_t i, vec query, vec& slope) const {
        const vec half = u(i, query);
        slope = half - half * half;  // tanh' / 4
        return power_of_two(half, factor);
    }

    inline vec u(int64_t i, vec query) const {
        return reciprocal(1.0f + (product ? keys[i] * query : exponential(keys[i] + query)));
    }
};

// Calls work(score) after replacing keys and queries by the values that the score class needs.
template <typename Work>
void with_tanh(vec* keys, vec* queries, int64_t rows, float c, Work work) {
    ivec large = ivec{};
    for (int64_t i = 0; i < rows; i++) {
        keys[i] *= 2.0f / c;
        queries[i] *= 2.0f / c;
        large |= (keys[i] > 30.0f) | (keys[i] < -30.0f) | (queries[i] > 30.0f) | (queries[i] < -30.0f);
    }
    bool factorised = true;
    for (int64_t lane = 0; lane < lanes; lane++) factorised = factorised && !large[lane];
    const float factor = -2.0f * c * log2_e;
    if (!factorised) return work(Tanh<false>{keys, queries, factor});
    for (int64_t i = 0; i < rows; i++) {
        keys[i] = exponential(keys[i]);
        queries[i] = exponential(queries[i]);
    }
    work(Tanh<true>{keys, queries, factor});
}

// elu(z) = z above 0, exp(z) - 1 below. It is unbounded but increases with k, so the largest key gives the largest
// score of a query, which is subtracted before exp.
struct Elu {
    static constexpr float unit = 1.0f;
    const vec *keys, *queries;

    struct Query {
        vec query, largest;
    };

    Query query(int64_t row, int64_t j, const Allowed& allowed) const {
        vec largest = vec{} - 3e38f;
        allowed.each(row, j, [&](int64_t i) { largest = keys[i] > largest ? keys[i] : largest; });
        vec slope;
        return {queries[j], score(largest + queries[j], slope)};
    }

    inline vec weight(int64_t i, const Query& by) const {
        vec slope;
        return weight(i, by, slope);
    }

    inline vec weight(int64_t i, const Query& by, vec& slope) const {
        return exponential(score(keys[i] + by.query, slope) - by.largest);
    }

    static inline vec score(vec z, vec& slope) {
        const vec low = exponential(z > 0.0f ? vec{} : z);  // keeps NaN
        slope = low;
        return z > 0.0f ? z : low - 1.0f;
    }
};

}  // namespace

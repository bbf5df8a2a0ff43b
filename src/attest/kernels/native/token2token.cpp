// Attention between the words of a sentence, with one distribution per feature: DiSAN, equations 11 and 15.
//
// Nothing of size words x words x features is stored: weights are computed in passing, and again in the backward pass.

#include "tiles.h"

namespace {

// tanh(z / c) = 1 - 2 u with u = 1 / (1 + exp(2 z / c)). Where keys and queries are of usual size, exp(2 (k + q) / c)
// is the product of two numbers that are computed once per word; where one is huge, the sum comes first.
struct Scores {
    const vec *keys, *queries;  // 2 k / c and 2 q / c, or their exponentials
    bool factorised;

    template <bool product>
    inline vec u(int64_t i, vec query) const {
        return reciprocal(1.0f + (product ? keys[i] * query : exponential(keys[i] + query)));
    }
};

Scores prepare(vec* keys, vec* queries, int64_t rows, float c) {
    ivec large = ivec{};
    for (int64_t i = 0; i < rows; i++) {
        keys[i] *= 2.0f / c;
        queries[i] *= 2.0f / c;
        large |= (keys[i] > 30.0f) | (keys[i] < -30.0f) | (queries[i] > 30.0f) | (queries[i] < -30.0f);
    }
    bool factorised = true;
    for (int64_t lane = 0; lane < lanes; lane++) factorised = factorised && !large[lane];
    if (factorised)
        for (int64_t i = 0; i < rows; i++) {
            keys[i] = exponential(keys[i]);
            queries[i] = exponential(queries[i]);
        }
    return {keys, queries, factorised};
}

// The words that each word may attend to: those from start to end - 1, counted within the sentence, without itself
// if `skip_self`.
struct Allowed {
    const int32_t *start, *end;
    bool skip_self;

    // Calls visit(i) for each.
    template <typename Visit>
    inline int64_t each(int64_t row, int64_t j, Visit visit) const {
        const int64_t from = start[row + j], to = end[row + j];
        const bool inside = skip_self && from <= j && j < to;
        const int64_t middle = inside ? j : to;
        for (int64_t i = from; i < middle; i++) visit(i);
        for (int64_t i = middle + 1; i < to; i++) visit(i);
        return std::max<int64_t>(0, to - from) - inside;
    }
};

template <bool product>
void attend(const Tile& tile, const Scores& scores, const vec* v, const Allowed& allowed, float factor, vec* s, vec* z) {
    for (int64_t j = 0; j < tile.rows; j++) {
        const vec query = scores.queries[j];
        vec numerator = vec{}, denominator = vec{};
        const int64_t used = allowed.each(tile.row, j, [&](int64_t i) {
            // exp(c tanh) up to the factor exp(c), which the softmax cancels: never above 1.
            const vec g = power_of_two(scores.u<product>(i, query), factor);
            numerator += g * v[i];
            denominator += g;
        });
        z[j] = used ? 1.0f / denominator : vec{};
        s[j] = used ? numerator * z[j] : vec{};
    }
}

struct Gradients {
    vec *keys, *queries, *values;
};

template <bool product>
void differentiate(const Tile& tile, const Scores& scores, const vec* v, const Allowed& allowed, float factor,
                   const vec* s, const vec* z, const vec* gradient, const Gradients& to) {
    for (int64_t j = 0; j < tile.rows; j++) {
        const vec query = scores.queries[j], weighted = gradient[j] * z[j], mean = s[j];
        vec sum = vec{};
        allowed.each(tile.row, j, [&](int64_t i) {
            const vec u = scores.u<product>(i, query);
            const vec share = power_of_two(u, factor) * weighted;      // p (.) dL/ds
            const vec slope = share * (v[i] - mean) * (u - u * u);     // ... (.) (v - s) (.) tanh' / 4
            to.values[i] += share;
            to.keys[i] += slope;
            sum += slope;
        });
        to.queries[j] = sum * 4.0f;
    }
    for (int64_t i = 0; i < tile.rows; i++) to.keys[i] *= 4.0f;
}

}  // namespace

extern "C" {

// s_j = sum_i p_ij (.) v_i, where p_ij is the softmax over i of c tanh((k_i + q_j) / c). Also 1 / sum of the weights.
void token2token_forward(const void* keys, const void* queries, const void* values, const int64_t* first,
                         const int64_t* length, const int32_t* start, const int32_t* end, int64_t sentences,
                         int64_t total, int64_t features, bool skip_self, float c, bool half, void* attended,
                         float* inverse, int threads) {
    const Places at{first, length, sentences, total, features};
    with_type(half, [=](auto number) {
        using T = decltype(number);
        for_each_tile(at, 5, threads, [=](const Tile& tile) {
            vec *k = tile.loaded((const T*)keys, 0), *q = tile.loaded((const T*)queries, 1);
            const vec* v = tile.loaded((const T*)values, 2);
            vec *s = tile.room(3), *z = tile.room(4);
            const Scores scores = prepare(k, q, tile.rows, c);
            const auto work = scores.factorised ? attend<true> : attend<false>;
            work(tile, scores, v, Allowed{start, end, skip_self}, -2.0f * c * log2_e, s, z);
            tile.stored(s, (T*)attended);
            tile.stored(z, inverse);
        });
    });
}

// Gradients of token2token_forward; the weights are computed again from what went in.
void token2token_backward(const void* keys, const void* queries, const void* values, const void* attended,
                          const float* inverse, const void* gradient, const int64_t* first, const int64_t* length,
                          const int32_t* start, const int32_t* end, int64_t sentences, int64_t total, int64_t features,
                          bool skip_self, float c, bool half, void* keys_gradient, void* queries_gradient,
                          void* values_gradient, int threads) {
    const Places at{first, length, sentences, total, features};
    with_type(half, [=](auto number) {
        using T = decltype(number);
        for_each_tile(at, 9, threads, [=](const Tile& tile) {
            vec *k = tile.loaded((const T*)keys, 0), *q = tile.loaded((const T*)queries, 1);
            const vec *v = tile.loaded((const T*)values, 2), *s = tile.loaded((const T*)attended, 3);
            const vec *z = tile.loaded(inverse, 4), *d = tile.loaded((const T*)gradient, 5);
            const Gradients to{tile.room(6), tile.room(7), tile.room(8)};
            std::fill_n(to.keys, tile.rows, vec{});
            std::fill_n(to.values, tile.rows, vec{});
            const Scores scores = prepare(k, q, tile.rows, c);
            const auto work = scores.factorised ? differentiate<true> : differentiate<false>;
            work(tile, scores, v, Allowed{start, end, skip_self}, -2.0f * c * log2_e, s, z, d, to);
            tile.stored(to.keys, (T*)keys_gradient);
            tile.stored(to.queries, (T*)queries_gradient);
            tile.stored(to.values, (T*)values_gradient);
        });
    });
}

}  // extern "C"

// Attention between the words of a sentence, with one distribution per feature: DiSAN, equations 11 and 15; PSAN,
// equations 1 and 2.
//
// Nothing of size words x words x features is stored: the weights are computed on the fly, and again in the backward
// pass.

#include "scores.h"
#include "tiles.h"

namespace {

Answer check(const Places& at, const Allowed& allowed) {
    if (const Answer wrong = at.check()) return wrong;
    bool inside = true;
    for (int64_t b = 0; b < at.sentences; b++) inside &= allowed.inside(at.first[b], at.length[b]);
    return inside ? done : "`start` and `end` are not ranges of words of the own sentence";
}

// Computes the attended values s and 1 / sum of the weights z of a tile.
template <typename Score>
void attend(const Tile& tile, const Score& score, const vec* v, const Allowed& allowed, vec* s, vec* z) {
    for (int64_t j = 0; j < tile.rows; j++) {
        const auto query = score.query(tile.row, j, allowed);
        vec numerator = vec{}, denominator = vec{};
        const int64_t used = allowed.each(tile.row, j, [&](int64_t i) {
            const vec g = score.weight(i, query);
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

// The scale above which 1 / sum of the weights, up to exp(2 c), is multiplied by a weight before it meets the gradient:
// the product with the gradient alone could overflow.
constexpr float steep_scale = 20.0f;

// Writes the gradients of a tile to `to`, whose keys and values must be zero before.
template <bool steep, typename Score>
void differentiate(const Tile& tile, const Score& score, const vec* v, const Allowed& allowed, const vec* s,
                   const vec* z, const vec* gradient, const Gradients& to) {
    for (int64_t j = 0; j < tile.rows; j++) {
        const auto query = score.query(tile.row, j, allowed);
        const vec weighted = gradient[j] * z[j], mean = s[j];
        vec sum = vec{};
        allowed.each(tile.row, j, [&](int64_t i) {
            vec slope;
            const vec weight = score.weight(i, query, slope);
            const vec share = steep ? weight * z[j] * gradient[j] : weight * weighted;  // p (.) dL/ds
            slope *= share * (v[i] - mean);                              // ... (.) (v - s) (.) score'
            to.values[i] += share;
            to.keys[i] += slope;
            sum += slope;
        });
        to.queries[j] = sum * Score::unit;
    }
    for (int64_t i = 0; i < tile.rows; i++) to.keys[i] *= Score::unit;
}

// Calls work(score) with the ELU score or the tanh score with scale c.
template <typename Work>
void with_score(bool elu, vec* keys, vec* queries, int64_t rows, float c, Work work) {
    if (elu)
        work(Elu{keys, queries});
    else
        with_tanh(keys, queries, rows, c, work);
}

}  // namespace

extern "C" {

// Computes s_j = sum_i p_ij (.) v_i, where p_ij is the softmax over i of c tanh((k_i + q_j) / c) or, if `elu` is true,
// of elu(k_i + q_j). `attended` receives s, `inverse` receives 1 / sum of the weights.
Answer token2token_forward(const void* keys, const void* queries, const void* values, const int64_t* first,
                           const int64_t* length, const int32_t* start, const int32_t* end, int64_t sentences,
                           int64_t total, int64_t features, bool skip_self, bool elu, float c, bool half,
                           void* attended, float* inverse, int threads) {
    const Places at{first, length, sentences, total, features};
    const Allowed allowed{start, end, skip_self};
    if (const Answer wrong = check(at, allowed)) return wrong;
    return with_type(half, [=](auto number) {
        using T = decltype(number);
        return for_each_tile(at, 5, threads, [=](const Tile& tile) {
            vec *k = tile.loaded((const T*)keys, 0), *q = tile.loaded((const T*)queries, 1);
            const vec* v = tile.loaded((const T*)values, 2);
            vec *s = tile.room(3), *z = tile.room(4);
            with_score(elu, k, q, tile.rows, c, [&](const auto& score) {
                attend(tile, score, v, allowed, s, z);
            });
            tile.stored(s, (T*)attended);
            tile.stored(z, inverse);
        });
    });
}

// Computes the gradients of token2token_forward. The weights are computed again from the inputs.
Answer token2token_backward(const void* keys, const void* queries, const void* values, const void* attended,
                            const float* inverse, const void* gradient, const int64_t* first, const int64_t* length,
                            const int32_t* start, const int32_t* end, int64_t sentences, int64_t total,
                            int64_t features, bool skip_self, bool elu, float c, bool half, void* keys_gradient,
                            void* queries_gradient, void* values_gradient, int threads) {
    const Places at{first, length, sentences, total, features};
    const Allowed allowed{start, end, skip_self};
    if (const Answer wrong = check(at, allowed)) return wrong;
    return with_type(half, [=](auto number) {
        using T = decltype(number);
        return for_each_tile(at, 9, threads, [=](const Tile& tile) {
            vec *k = tile.loaded((const T*)keys, 0), *q = tile.loaded((const T*)queries, 1);
            const vec *v = tile.loaded((const T*)values, 2), *s = tile.loaded((const T*)attended, 3);
            const vec *z = tile.loaded(inverse, 4), *d = tile.loaded((const T*)gradient, 5);
            const Gradients to{tile.room(6), tile.room(7), tile.room(8)};
            std::fill_n(to.keys, tile.rows, vec{});
            std::fill_n(to.values, tile.rows, vec{});
            with_score(elu, k, q, tile.rows, c, [&](const auto& score) {
                if (!elu && c > steep_scale)
                    differentiate<true>(tile, score, v, allowed, s, z, d, to);
                else
                    differentiate<false>(tile, score, v, allowed, s, z, d, to);
            });
            tile.stored(to.keys, (T*)keys_gradient);
            tile.stored(to.queries, (T*)queries_gradient);
            tile.stored(to.values, (T*)values_gradient);
        });
    });
}

}  // extern "C"

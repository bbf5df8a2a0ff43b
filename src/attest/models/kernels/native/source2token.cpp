// Pooling of the words of a sentence to one vector, with one distribution per feature: DiSAN, equations 12 and 13.

#include "tiles.h"

extern "C" {

// Computes s = sum_i p_i (.) v_i, where p is the softmax of the scores over the words of a sentence. `pooled` receives
// s, one row per sentence, zero for a sentence without words; `largest` the largest score; `inverse` 1 / sum of the
// weights.
Answer source2token_forward(const void* scores, const void* values, const int64_t* first, const int64_t* length,
                            int64_t sentences, int64_t total, int64_t features, bool half, void* pooled,
                            float* largest, float* inverse, int threads) {
    const Places at{first, length, sentences, total, features};
    if (const Answer wrong = at.check()) return wrong;
    return with_type(half, [=](auto number) {
        using T = decltype(number);
        return for_each_tile(at, 2, threads, [=](const Tile& tile) {
            const vec *l = tile.loaded((const T*)scores, 0), *v = tile.loaded((const T*)values, 1);
            vec high = vec{} - INFINITY, numerator = vec{}, denominator = vec{};
            for (int64_t i = 0; i < tile.rows; i++) high = high > l[i] ? high : l[i];
            for (int64_t i = 0; i < tile.rows; i++) {
                const vec g = exponential(l[i] - high);
                numerator += g * v[i];
                denominator += g;
            }
            const vec z = tile.rows ? 1.0f / denominator : vec{};
            tile.stored_one(numerator * z, (T*)pooled);
            tile.stored_one(high, largest);
            tile.stored_one(z, inverse);
        });
    });
}

Answer source2token_backward(const void* scores, const void* values, const void* pooled, const float* largest,
                             const float* inverse, const void* gradient, const int64_t* first, const int64_t* length,
                             int64_t sentences, int64_t total, int64_t features, bool half, void* scores_gradient,
                             void* values_gradient, int threads) {
    const Places at{first, length, sentences, total, features};
    if (const Answer wrong = at.check()) return wrong;
    return with_type(half, [=](auto number) {
        using T = decltype(number);
        return for_each_tile(at, 4, threads, [=](const Tile& tile) {
            const vec *l = tile.loaded((const T*)scores, 0), *v = tile.loaded((const T*)values, 1);
            vec *dl = tile.room(2), *dv = tile.room(3);
            const vec s = tile.loaded_one((const T*)pooled), high = tile.loaded_one(largest);
            const vec weighted = tile.loaded_one((const T*)gradient) * tile.loaded_one(inverse);
            for (int64_t i = 0; i < tile.rows; i++) {
                dv[i] = exponential(l[i] - high) * weighted;
                dl[i] = dv[i] * (v[i] - s);
            }
            tile.stored(dl, (T*)scores_gradient);
            tile.stored(dv, (T*)values_gradient);
        });
    });
}

}  // extern "C"

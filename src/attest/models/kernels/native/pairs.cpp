// Attention scores by a network on pairs of items, whose hidden layer is never stored.

#include <memory>
#include <new>

#include "vectors.h"

namespace {

inline float sum(vec x) {
    float total = 0.0f;
    for (int64_t k = 0; k < lanes; k++) total += x[k];
    return total;
}

}  // namespace

extern "C" {

// Computes e_ij = sum over the features of w relu(a_i + b_j), where `first` (pairs, I, features) holds a, `second`
// (pairs, J, features) holds b, `weight` (pairs, features) holds w, and `scores` (pairs, I, J) receives e.
Answer pair_scores_forward(const float* first, const float* second, const float* weight, int64_t pairs, int64_t I,
                           int64_t J, int64_t features, float* scores, int threads) {
    constexpr int64_t together = 4;  // the number of items j at a time; they share the loads of a_i and w
#pragma omp parallel for num_threads(team(pairs * I * J * features, threads)) schedule(dynamic)
    for (int64_t row = 0; row < pairs * I; row++) {
        const float *a = first + row * features, *b = second + row / I * J * features, *w = weight + row / I * features;
        for (int64_t begin = 0; begin < J; begin += together) {
            const int64_t number = std::min(together, J - begin);
            vec totals[together] = {};
            for (int64_t k = 0; k < features; k += lanes) {
                const int64_t width = std::min(lanes, features - k);
                const vec x = load(a + k, width), factor = load(w + k, width);
                for (int64_t j = 0; j < number; j++) {
                    const vec z = x + load(b + (begin + j) * features + k, width);
                    totals[j] += factor * (z < 0.0f ? vec{} : z);  // keeps NaN
                }
            }
            for (int64_t j = 0; j < number; j++) scores[row * J + begin + j] = sum(totals[j]);
        }
    }
    return done;
}

// Computes the gradients of a, b and w from that of e, for 16 features of all items of a pair at a time.
Answer pair_scores_backward(const float* first, const float* second, const float* weight, const float* gradient,
                            int64_t pairs, int64_t I, int64_t J, int64_t features, float* to_first, float* to_second,
                            float* to_weight, int threads) {
    const int64_t runs = (features + lanes - 1) / lanes;
    bool enough = true;
#pragma omp parallel num_threads(team(pairs * I * J * features, threads))
    {
        const std::unique_ptr<vec[]> space(new (std::nothrow) vec[2 * J]);
        if (!space) {
#pragma omp atomic write
            enough = false;
        }
#pragma omp barrier
        if (enough) {
            vec *b = space.get(), *to_b = b + J;
#pragma omp for schedule(dynamic)
            for (int64_t part = 0; part < pairs * runs; part++) {
                const int64_t pair = part / runs, k = part % runs * lanes, width = std::min(lanes, features - k);
                const float* second_k = second + pair * J * features + k;
                for (int64_t j = 0; j < J; j++) b[j] = load(second_k + j * features, width);
                std::fill_n(to_b, J, vec{});
                const vec w = load(weight + pair * features + k, width);
                vec to_w = {};
                for (int64_t i = 0; i < I; i++) {
                    const int64_t row = pair * I + i;
                    const vec a = load(first + row * features + k, width);
                    vec to_a = {};
                    for (int64_t j = 0; j < J; j++) {
                        const vec z = a + b[j], passed = z > 0.0f ? vec{} + gradient[row * J + j] : vec{};
                        to_a += passed;
                        to_b[j] += passed;
                        to_w += passed * z;
                    }
                    store(to_a * w, to_first + row * features + k, width);
                }
                for (int64_t j = 0; j < J; j++) store(to_b[j] * w, to_second + (pair * J + j) * features + k, width);
                store(to_w, to_weight + pair * features + k, width);
            }
        }
    }
    return enough ? done : out_of_memory;
}

}  // extern "C"

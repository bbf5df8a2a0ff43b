// One step of a GRU over the walks that have not ended yet, without its matrix products.

#include "vectors.h"

extern "C" {

// With p = product + bias, computes r, z = sigmoid(gates + p), n = tanh(gates + r p) and h = n + z (previous - n).
// `gates` is overwritten by r, z, n; `inner` receives the p of n, and `state` receives h. `previous` is the h of the
// previous step. In the first step `product` and `previous` are null and count as zero.
Answer gru_forward(void* gates, const void* product, const float* bias, const void* previous, int64_t rows,
                   int64_t features, bool half, void* inner, void* state, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t place, int64_t column, int64_t width) {
            const int64_t first = 3 * (place - column) + column;
            T* at = (T*)gates + first;
            const T* add = (const T*)product + (product ? first : 0);
            vec x[3], p[3];
            for (int64_t m = 0; m < 3; m++) {
                x[m] = load(at + m * features, width);
                p[m] = load(bias + m * features + column, width);
                if (product) p[m] += load(add + m * features, width);
            }
            const vec r = sigmoid(x[0] + p[0]), z = sigmoid(x[1] + p[1]), n = tanh_of(x[2] + r * p[2]);
            const vec h = previous ? load((const T*)previous + place, width) : vec{};
            store(r, at, width);
            store(z, at + features, width);
            store(n, at + 2 * features, width);
            store(p[2], (T*)inner + place, width);
            store(n + z * (h - n), (T*)state + place, width);
        });
    });
}

// From the gradient of h, which is `gradient` + `next_gradient` + `direct_gradient`, computes the gradients of the
// three sums of the input (`to_gates`) and of the three p (`to_product`), and overwrites `direct_gradient` with the
// gradient that reaches the h of the previous step without passing the products.
Answer gru_backward(const void* gates, const void* inner, const void* previous, const void* gradient,
                    const void* next_gradient, int64_t rows, int64_t features, bool half, float* direct_gradient,
                    void* to_gates, void* to_product, int threads) {
    return with_type(half, [=](auto type) {
        using T = decltype(type);
        return for_each_place(rows, features, threads, [=](int64_t place, int64_t column, int64_t width) {
            const int64_t first = 3 * (place - column) + column;
            const T* at = (const T*)gates + first;
            T *to_x = (T*)to_gates + first, *to_p = (T*)to_product + first;
            const vec r = load(at, width), z = load(at + features, width), n = load(at + 2 * features, width);
            const vec h = previous ? load((const T*)previous + place, width) : vec{};
            const vec to_h = load((const T*)gradient + place, width) + load((const T*)next_gradient + place, width) +
                             load(direct_gradient + place, width);
            const vec to_n = to_h * (1.0f - z) * (1.0f - n * n);
            const vec to_r = to_n * load((const T*)inner + place, width) * r * (1.0f - r);
            const vec to_z = to_h * (h - n) * z * (1.0f - z);
            store(to_h * z, direct_gradient + place, width);
            store(to_r, to_x, width);
            store(to_r, to_p, width);
            store(to_z, to_x + features, width);
            store(to_z, to_p + features, width);
            store(to_n, to_x + 2 * features, width);
            store(to_n * r, to_p + 2 * features, width);
        });
    });
}

}  // extern "C"

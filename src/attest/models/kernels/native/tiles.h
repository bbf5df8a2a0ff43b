// Work on sentences, divided by sentence and by tiles of 16 features. No two threads write to the same memory, and
// results do not depend on the number of threads.
//
// Matrices have one row per word of a batch and one column per feature. Sentence b holds the rows first[b] to
// first[b] + length[b] - 1; rows up to the next sentence are padding.

#pragma once

#include <memory>
#include <new>

#include "vectors.h"

namespace {

// A tile of a sentence (all its words, up to 16 features), and buffers for tiles of its length.
struct Tile {
    int64_t sentence, row, rows, padding, column, width, features;
    vec* space;

    vec* room(int64_t number) const { return space + number * rows; }

    template <typename T>
    vec* loaded(const T* matrix, int64_t number) const {
        const T* from = matrix + row * features + column;
        vec* tile = room(number);
        // The next tile follows in cache lines that are too far apart for the hardware prefetcher.
        for (int64_t i = 0; i < rows; i++) __builtin_prefetch(from + i * features + 64 / sizeof(T));
        if (width == lanes)
            for (int64_t i = 0; i < rows; i++) tile[i] = load(from + i * features, lanes);
        else
            for (int64_t i = 0; i < rows; i++) tile[i] = load(from + i * features, width);
        return tile;
    }
    // Writes a tile to a matrix and zeros to the rows of padding behind the sentence.
    template <typename T>
    void stored(const vec* tile, T* matrix) const {
        T* to = matrix + row * features + column;
        if (width == lanes)
            for (int64_t i = 0; i < rows; i++) store(tile[i], to + i * features, lanes);
        else
            for (int64_t i = 0; i < rows; i++) store(tile[i], to + i * features, width);
        for (int64_t i = rows; i < rows + padding; i++) store(vec{}, to + i * features, width);
    }
    // The tile of a matrix with one row per sentence.
    template <typename T>
    vec loaded_one(const T* matrix) const {
        return load(matrix + sentence * features + column, width);
    }
    template <typename T>
    void stored_one(vec tile, T* matrix) const {
        store(tile, matrix + sentence * features + column, width);
    }
};

// The rows of the sentences of a batch, and the size of its matrices.
struct Places {
    const int64_t *first, *length;
    int64_t sentences, total, features;

    // The row at which the next sentence begins.
    int64_t next(int64_t b) const { return b + 1 < sentences ? first[b + 1] : total; }

    // Every row of the matrices belongs to a sentence or is padding behind one, so that no result stays undefined.
    Answer check() const {
        bool inside = true;
        for (int64_t b = 0; b < sentences; b++)
            inside &= 0 <= first[b] && first[b] <= total && 0 <= length[b] && length[b] <= total;
        inside = inside && (sentences ? first[0] == 0 : total == 0);
        for (int64_t b = 0; inside && b < sentences; b++) inside = length[b] <= next(b) - first[b];
        return inside ? done : "`first` and `length` are not the rows of sentences that stand one behind the other";
    }
};

// Calls work(tile) for each tile of each sentence, with `rooms` buffers per tile. The places must have been checked.
template <typename Work>
Answer for_each_tile(const Places& at, int64_t rooms, int threads, Work work) {
    const int64_t tiles = (at.features + lanes - 1) / lanes;
    const int64_t longest = at.sentences ? *std::max_element(at.length, at.length + at.sentences) : 0;
    bool enough = true;
#pragma omp parallel num_threads(team(at.total * at.features, threads))
    {
        const std::unique_ptr<vec[]> space(new (std::nothrow) vec[rooms * longest]);
        if (!space) {
#pragma omp atomic write
            enough = false;
        }
#pragma omp barrier
        if (enough) {
#pragma omp for collapse(2) schedule(dynamic, 8)
            for (int64_t b = 0; b < at.sentences; b++)
                for (int64_t t = 0; t < tiles; t++) {
                    const int64_t padding = at.next(b) - at.first[b] - at.length[b], column = t * lanes;
                    work(Tile{b, at.first[b], at.length[b], padding, column, std::min(lanes, at.features - column),
                              at.features, space.get()});
                }
        }
    }
    return enough ? done : out_of_memory;
}

}  // namespace

// The step as a chain of oneDNN's inner products with fused bias and relu, and weights in the
// library's preferred layout. Conversions are part of the step.
#include <cstring>
#include <dnnl.hpp>

#include "demos/benchmark/peers/chain.hpp"

namespace {

using dnnl::memory;
using Tag = memory::format_tag;

struct Library {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};

  static memory::desc desc(memory::dims dims, Tag tag) {
    return {dims, memory::data_type::f32, tag};
  }
  memory array(memory::dims dims, Tag tag) { return memory(desc(dims, tag), engine); }

  // `from` converted to the layout `want`; itself if it has that.
  memory staged(const memory& from, const memory::desc& want) {
    return from.get_desc() == want ? from : memory(want, engine);
  }
  void move(memory& from, memory& to) {
    if (from.get_data_handle() != to.get_data_handle())
      dnnl::reorder(from, to).execute(stream, from, to);
  }
};

float* floats(const memory& x) { return static_cast<float*>(x.get_data_handle()); }

// y = x·w + b, or its relu; w [in, out] is oneDNN's {out, in} transposed.
class Layer {
 public:
  Layer(Library& library, int64_t rows, int64_t in, int64_t out, bool relu);

  void forward(memory& x, memory& y) {
    library.move(w, w_forward);
    forward_.execute(
        library.stream,
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w_forward}, {DNNL_ARG_BIAS, b}, {DNNL_ARG_DST, y}});
  }
  void backward_weights(memory& x, memory& dy) {
    weights_.execute(library.stream, {{DNNL_ARG_SRC, x},
                                      {DNNL_ARG_DIFF_DST, dy},
                                      {DNNL_ARG_DIFF_WEIGHTS, dw_staged},
                                      {DNNL_ARG_DIFF_BIAS, db}});
    library.move(dw_staged, dw);
  }
  void backward_data(memory& dy, memory& dx) {
    library.move(w, w_backward);
    data_.execute(
        library.stream,
        {{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_WEIGHTS, w_backward}, {DNNL_ARG_DIFF_SRC, dx}});
  }

  Library& library;
  memory w, b, dw, db;

 private:
  memory w_forward, w_backward, dw_staged;
  dnnl::primitive forward_, weights_, data_;
};

Layer::Layer(Library& library, int64_t rows, int64_t in, int64_t out, bool relu)
    : library(library),
      w(library.array({out, in}, Tag::ba)),
      b(library.array({out}, Tag::a)),
      dw(library.array({out, in}, Tag::ba)),
      db(library.array({out}, Tag::a)) {
  const auto x = Library::desc({rows, in}, Tag::ab), y = Library::desc({rows, out}, Tag::ab);
  const auto weights = Library::desc({out, in}, Tag::any), bias = b.get_desc();
  dnnl::primitive_attr attributes;
  if (relu) {
    dnnl::post_ops after;
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(dnnl::algorithm::eltwise_relu, 0.f, 0.f);
#else
    after.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
#endif
    attributes.set_post_ops(after);
  }
  using Forward = dnnl::inner_product_forward;
  using Weights = dnnl::inner_product_backward_weights;
  using Data = dnnl::inner_product_backward_data;
  constexpr auto training = dnnl::prop_kind::forward_training;
  const dnnl::engine& cpu = library.engine;
#if DNNL_VERSION_MAJOR >= 3
  const Forward::primitive_desc forward(cpu, training, x, weights, bias, y, attributes);
  const Weights::primitive_desc backward_weights(cpu, x, weights, bias, y, forward);
  const Data::primitive_desc backward_data(cpu, x, weights, y, forward);
#else
  const Forward::primitive_desc forward({training, x, weights, bias, y}, attributes, cpu);
  const Weights::primitive_desc backward_weights({x, weights, bias, y}, cpu, forward);
  const Data::primitive_desc backward_data({x, weights, y}, cpu, forward);
#endif
  forward_ = Forward(forward);
  weights_ = Weights(backward_weights);
  data_ = Data(backward_data);
  w_forward = library.staged(w, forward.weights_desc());
  w_backward = library.staged(w, backward_data.weights_desc());
  dw_staged = library.staged(dw, backward_weights.diff_weights_desc());
}

class Network {
 public:
  explicit Network(const timing::Job& job)
      : M(job.rows()),
        d(job.d_model),
        f(job.d_ff),
        dropping(!job.checks()),
        first(library, M, d, f, true),
        second(library, M, f, d, false) {
    timing::fill(M * d, timing::x_scale, floats(x));
    timing::fill(d * f, timing::weight_scale, floats(first.w));
    timing::fill(f, timing::bias_scale, floats(first.b));
    timing::fill(d * f, timing::weight_scale, floats(second.w));
    timing::fill(d, timing::bias_scale, floats(second.b));
    std::fill_n(floats(dy), M * d, 1.f);
  }

  void step() {
    first.forward(x, h);
    if (dropping) drop();
    second.forward(h, y);
    second.backward_weights(h, dy);
    second.backward_data(dy, dz);
    mask_gradient();
    first.backward_weights(x, dz);
    library.stream.wait();
  }

  void print_checksums() const {
    double loss = 0;
    for (int64_t i = 0; i < M * d; ++i) loss += floats(y)[i];
    std::printf("%.9g", loss);
    const auto print = [](int64_t n, const memory& g) {
      std::printf(" %.9g", timing::checksum(n, floats(g)));
    };
    print(d * f, first.dw), print(f, first.db), print(d * f, second.dw), print(d, second.db);
    std::printf("\n");
  }

 private:
  void drop() {
    ++seed;
    float* at = floats(h);
#pragma omp parallel for simd schedule(static) if (M * f > peers::worth_sharing)
    for (int64_t i = 0; i < M * f; ++i) {
      at[i] = peers::kept(static_cast<uint32_t>(i), seed) ? at[i] * (1 / 0.9f) : 0.f;
    }
  }

  void mask_gradient() {
    const float scale = dropping ? 1 / 0.9f : 1;
    float* z = floats(dz);
    const float* passed = floats(h);
#pragma omp parallel for simd schedule(static) if (M * f > peers::worth_sharing)
    for (int64_t i = 0; i < M * f; ++i) z[i] = passed[i] > 0 ? z[i] * scale : 0.f;
  }

  const int64_t M, d, f;
  const bool dropping;
  uint32_t seed = 0;
  Library library;
  Layer first, second;
  memory x = library.array({M, d}, Tag::ab), y = library.array({M, d}, Tag::ab);
  memory h = library.array({M, f}, Tag::ab), dz = library.array({M, f}, Tag::ab);
  memory dy = library.array({M, d}, Tag::ab);
};

}  // namespace

int main(int argc, char** argv) {
  const timing::Job job = timing::job_from(argc, argv);
  Network network(job);
  if (job.checks()) {
    network.step();
    network.print_checksums();
  } else {
    timing::report(job.seconds, [&] { network.step(); });
  }
}

"""Names of the engine's internals, which `step` skips. Nothing between the user's line and a gradient may be among
them."""

CLASSES = """Ref Shape Storage Loc CallLine ListedOperand Arg Saved Pass Node Scoped NoGrad EnableGrad Autocast
    FusedOps OpCall ModuleCall Nested Number Dims Index RowIterator RandomState Range Ledger LedgerKeeper
    NanDetection Paranoia GoingBack""".split()
METHODS = """Tensor ~Tensor operator= defined check_defined impl shape size dim numel kind data item at name
    set_name node requires_grad requires_grad_ is_leaf grad set_grad detach off_tape with_shape part
    tell_data is_ours copied apart_from overlaps is storage set_node c_name set_kind owned_alone forget
    increment_version empty full zeros ones from of rand randn offset to_vector set_detached
    shares_history retain_grad register_hook remove_hook fill_ zero_ copy_ begin end""".split()
FUNCTIONS = r"""Input::Input Input::connect Input::operator.bool record record_product record_constant
    on_tape written_in_place set_lines connect wants_grad strides in_order dense_strides joined
    product_sizes broadcast dim_set ledger_of observers tell undo go_back fused_ops grad_enabled
    next_draw manual_seed random_state kernels::table kernels::normal
    kernels::find_table kernels::scalar::.*::operator\(\) operator<< destroy the_tape live_nodes
    live_storages reachable ([a-z_]+::)*check(ed)?(_[a-z_]+)?
    nn::Module<.*>::(self|checked_input|named?_parameters) alignment interned kind_of
    promoted Row::Row Row::~Row""".split()
OURS = ["(%s)(<.*>)?::" % "|".join(CLASSES), "Tensor::(%s)($|\\()" % "|".join(METHODS),
    "(%s)($|<|\\()" % "|".join(FUNCTIONS)]

NAMES = "^(.* )?stepgrad::(\\(anonymous namespace\\)::)?(%s)" % "|".join(OURS)

"""Keras models that hold other models, as a user would write them with either Keras 2 or 3.

make_keras2_files.py stores what Keras 2 writes for them; keras_files_test.py lets Keras 3 write them while it runs.
"""


def deep(keras, L):
    """Four models within each other, each called once."""
    i = keras.Input((6,), name="i")
    least = keras.Model(i, L.Dense(5, activation="relu", name="d")(i), name="least")
    i = keras.Input((6,), name="i")
    middle = keras.Model(i, L.Dense(4, name="d")(least(i)), name="middle")
    i = keras.Input((6,), name="i")
    most = keras.Model(i, L.Dense(3, activation="tanh", name="d")(middle(i)), name="most")
    x = keras.Input((6,), name="x")
    return keras.Model(x, L.Dense(2, name="d")(most(x)), name="deep")


def shared(keras, L):
    """One model called three times; one of the calls is an output as it is."""
    i = keras.Input((6,), name="i")
    twin = keras.Model(i, L.Dense(6, activation="elu", name="b")(L.Dense(9, name="a")(i)), name="twin")
    left, right = keras.Input((6,), name="left"), keras.Input((6,), name="right")
    again = twin(twin(right))
    return keras.Model([left, right], [L.Dense(2, name="top")(L.Subtract(name="gap")([twin(left), again])), again],
                       name="shared")


def ends(keras, L):
    """A model of two inputs and two outputs, called twice with the inputs exchanged, and nothing after it."""
    i, j = keras.Input((4,), name="i"), keras.Input((7,), name="j")
    d = L.Dense(7, activation="relu", name="d")(i)
    pair = keras.Model([i, j], [L.Add(name="s")([d, j]), L.Dense(4, name="e")(j)], name="pair")
    a, b = keras.Input((4,), name="a"), keras.Input((7,), name="b")
    wide, narrow = pair([a, b])
    return keras.Model([a, b], [*pair([narrow, wide]), wide], name="ends")


def mixed(keras, L):
    """Sequential models in a functional one and the reverse; one of them learns its input shape from its first call."""
    first = keras.Sequential([keras.Input((8, 8, 3)), L.Conv2D(4, 3, padding="same", activation="relu", name="c"),
                              L.MaxPooling2D(name="p")], name="first")
    later = keras.Sequential([L.Conv2D(4, 3, padding="same", name="c"), L.BatchNormalization(name="n")], name="later")
    i = keras.Input((8, 8, 3), name="i")
    backbone = keras.Model(i, L.Activation("swish", name="act")(later(later(first(i)))), name="backbone")
    return keras.Sequential([backbone, L.GlobalAveragePooling2D(name="pool"), L.Dense(5, name="top")], name="mixed")


def within_shared(keras, L):
    """A model that is called twice within another that is called twice."""
    i = keras.Input((5,), name="i")
    cell = keras.Sequential([keras.Input((5,)), L.Dense(5, activation="selu", name="d")], name="cell")
    block = keras.Model(i, L.Add(name="s")([cell(cell(i)), i]), name="block")
    x = keras.Input((5,), name="x")
    return keras.Model(x, block(L.Dense(5, name="between")(block(x))), name="within_shared")


def tokens(keras, L):
    """Numbers of words that are looked up in a model within a model."""
    i = keras.Input((12,), dtype="int32", name="i")
    reader = keras.Model(i, L.LSTM(6, name="r")(L.Embedding(30, 8, name="e")(i)), name="reader")
    i = keras.Input((12,), dtype="int32", name="i")
    encoder = keras.Model(i, L.Dense(4, name="d")(reader(i)), name="encoder")
    q, a = keras.Input((12,), dtype="int32", name="q"), keras.Input((12,), dtype="int32", name="a")
    return keras.Model([q, a], L.Dense(1, name="top")(L.Concatenate(name="both")([encoder(q), encoder(a)])),
                       name="tokens")


MODELS = [deep, shared, ends, mixed, within_shared, tokens]

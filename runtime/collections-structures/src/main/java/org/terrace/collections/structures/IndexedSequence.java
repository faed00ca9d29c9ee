package org.terrace.collections.structures;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A sequence whose elements are found, inserted and removed by index in time proportional to the
 * logarithm of its length. Immutable: a change gives a sequence that shares most of the former, so
 * that readers need no lock.
 *
 * <p>Source: Hirai, Yamamoto, "Balancing weight-balanced trees", 2011: a tree in which a subtree's
 * weight, its length and one, is at most {@value #DELTA} times its sibling's.
 *
 * @param <T> the type of the elements
 */
public final class IndexedSequence<T> {
  private static final int DELTA = 3;
  private static final int GAMMA = 2;

  private record Node<T>(@Nullable Node<T> left, T element, @Nullable Node<T> right, int size) {
    Node(@Nullable Node<T> left, T element, @Nullable Node<T> right) {
      this(left, element, right, sizeOf(left) + 1 + sizeOf(right));
    }
  }

  private final @Nullable Node<T> root;

  private IndexedSequence(@Nullable Node<T> root) {
    this.root = root;
  }

  /** The sequence of these elements, in time proportional to their number. */
  public static <T> IndexedSequence<T> of(List<T> elements) {
    return new IndexedSequence<>(balanced(elements));
  }

  private static <T> @Nullable Node<T> balanced(List<T> elements) {
    if (elements.isEmpty()) {
      return null;
    }
    int middle = elements.size() / 2;
    return new Node<>(
        balanced(elements.subList(0, middle)),
        elements.get(middle),
        balanced(elements.subList(middle + 1, elements.size())));
  }

  private static int sizeOf(@Nullable Node<?> node) {
    return node == null ? 0 : node.size;
  }

  private static int weightOf(@Nullable Node<?> node) {
    return sizeOf(node) + 1;
  }

  /** The number of elements. */
  public int size() {
    return sizeOf(root);
  }

  /**
   * The element at the index.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public T get(int index) {
    int left = Objects.checkIndex(index, size());
    Node<T> node = Objects.requireNonNull(root);
    while (true) {
      int before = sizeOf(node.left);
      if (left == before) {
        return node.element;
      } else if (left < before) {
        node = Objects.requireNonNull(node.left);
      } else {
        left -= before + 1;
        node = Objects.requireNonNull(node.right);
      }
    }
  }

  /**
   * The index of the element looked for, or {@code -(index + 1)} with that at which it would be
   * inserted.
   *
   * @param order the sign of how an element compares with the one looked for, which never falls
   *     from one element to the next
   */
  public int search(ToIntFunction<T> order) {
    int before = 0;
    @Nullable Node<T> node = root;
    while (node != null) {
      int compared = order.applyAsInt(node.element);
      if (compared == 0) {
        return before + sizeOf(node.left);
      } else if (compared > 0) {
        node = node.left;
      } else {
        before += sizeOf(node.left) + 1;
        node = node.right;
      }
    }
    return -(before + 1);
  }

  /** The sequence with one more element, which comes to stand at the index. */
  public IndexedSequence<T> withInserted(int index, T element) {
    Objects.checkIndex(index, size() + 1);
    return new IndexedSequence<>(inserted(root, index, element));
  }

  private static <T> Node<T> inserted(@Nullable Node<T> node, int index, T element) {
    if (node == null) {
      return new Node<>(null, element, null);
    }
    int before = sizeOf(node.left);
    return index <= before
        ? balance(inserted(node.left, index, element), node.element, node.right)
        : balance(node.left, node.element, inserted(node.right, index - before - 1, element));
  }

  /** The sequence with another element at the index. */
  public IndexedSequence<T> with(int index, T element) {
    Objects.checkIndex(index, size());
    return new IndexedSequence<>(replaced(Objects.requireNonNull(root), index, element));
  }

  private static <T> Node<T> replaced(Node<T> node, int index, T element) {
    int before = sizeOf(node.left);
    if (index == before) {
      return new Node<>(node.left, element, node.right);
    }
    return index < before
        ? new Node<>(
            replaced(Objects.requireNonNull(node.left), index, element), node.element, node.right)
        : new Node<>(
            node.left,
            node.element,
            replaced(Objects.requireNonNull(node.right), index - before - 1, element));
  }

  /** The sequence without the element at the index. */
  public IndexedSequence<T> without(int index) {
    Objects.checkIndex(index, size());
    return new IndexedSequence<>(removed(Objects.requireNonNull(root), index));
  }

  private static <T> @Nullable Node<T> removed(Node<T> node, int index) {
    int before = sizeOf(node.left);
    if (index < before) {
      return balance(removed(Objects.requireNonNull(node.left), index), node.element, node.right);
    } else if (index > before) {
      return balance(
          node.left, node.element, removed(Objects.requireNonNull(node.right), index - before - 1));
    } else if (node.left == null || node.right == null) {
      return node.left == null ? node.right : node.left;
    }
    return balance(node.left, firstOf(node.right), removed(node.right, 0));
  }

  private static <T> T firstOf(Node<T> node) {
    Node<T> first = node;
    while (first.left != null) {
      first = first.left;
    }
    return first.element;
  }

  /** A node of two subtrees of which one has lost or won an element. */
  private static <T> Node<T> balance(@Nullable Node<T> left, T element, @Nullable Node<T> right) {
    if (right != null && weightOf(right) > DELTA * weightOf(left)) {
      return turnedLeft(left, element, right);
    } else if (left != null && weightOf(left) > DELTA * weightOf(right)) {
      return turnedRight(left, element, right);
    }
    return new Node<>(left, element, right);
  }

  private static <T> Node<T> turnedLeft(@Nullable Node<T> left, T element, Node<T> right) {
    Node<T> inner = right.left;
    if (inner == null || weightOf(inner) < GAMMA * weightOf(right.right)) {
      return new Node<>(new Node<>(left, element, inner), right.element, right.right);
    }
    return new Node<>(
        new Node<>(left, element, inner.left),
        inner.element,
        new Node<>(inner.right, right.element, right.right));
  }

  private static <T> Node<T> turnedRight(Node<T> left, T element, @Nullable Node<T> right) {
    Node<T> inner = left.right;
    if (inner == null || weightOf(inner) < GAMMA * weightOf(left.left)) {
      return new Node<>(left.left, left.element, new Node<>(inner, element, right));
    }
    return new Node<>(
        new Node<>(left.left, left.element, inner.left),
        inner.element,
        new Node<>(inner.right, element, right));
  }

  /** Hands out all elements in order. */
  public void forEach(Consumer<T> action) {
    forEach(root, action);
  }

  private static <T> void forEach(@Nullable Node<T> node, Consumer<T> action) {
    if (node != null) {
      forEach(node.left, action);
      action.accept(node.element);
      forEach(node.right, action);
    }
  }

  /** The most elements on a way from the root, which bounds what an access costs. */
  int depth() {
    return depth(root);
  }

  private static int depth(@Nullable Node<?> node) {
    return node == null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
  }
}

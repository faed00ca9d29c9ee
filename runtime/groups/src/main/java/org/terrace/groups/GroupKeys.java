package org.terrace.groups;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The keys by which the members of a group know each other: one that seals what this member sends,
 * and perhaps a second one that it accepts as well.
 *
 * <p>With {@link #encrypting} everything between members is encrypted and authenticated, datagrams
 * and connections alike (AES-256-GCM under keys derived from the secret); with {@link
 * #authenticating} it is authenticated and in the clear. Members that do it differently do not hear
 * each other.
 *
 * <p>Keys are changed while the group runs, without a pause: every member {@linkplain #accept
 * accepts} the new key; when all do, every member {@linkplain #sealWith seals} with it; when all
 * do, every member {@linkplain #drop drops} the old one. Thread-safe; an object may serve several
 * groups of one process.
 */
public final class GroupKeys {
  /** The most keys that are accepted at the same time. */
  public static final int ACCEPTED_MAX = 2;

  private record State(Secret sealing, List<Secret> accepted) {}

  private final boolean encrypting;
  private final AtomicReference<State> state;

  private GroupKeys(boolean encrypting, Secret secret) {
    this.encrypting = encrypting;
    this.state = new AtomicReference<>(new State(secret, List.of(secret)));
  }

  /** Keys that encrypt and authenticate all that is sent. */
  public static GroupKeys encrypting(Secret secret) {
    return new GroupKeys(true, secret);
  }

  /** Keys that authenticate all that is sent, in the clear. */
  public static GroupKeys authenticating(Secret secret) {
    return new GroupKeys(false, secret);
  }

  /** Whether what is sent is encrypted. */
  public boolean isEncrypting() {
    return encrypting;
  }

  /** The key that seals what this member sends. */
  public Secret sealing() {
    return state.get().sealing;
  }

  /** The keys of what this member takes for genuine, that which seals first. */
  public List<Secret> accepted() {
    return state.get().accepted;
  }

  /**
   * Takes what is sealed with that key for genuine as well, from now on.
   *
   * @throws IllegalStateException if two others are accepted already
   */
  public void accept(Secret secret) {
    state.updateAndGet(now -> {
      if (now.accepted.contains(secret)) {
        return now;
      }
      if (now.accepted.size() == ACCEPTED_MAX) {
        throw new IllegalStateException("two keys are accepted already: drop one of them first");
      }
      return new State(now.sealing, List.of(now.sealing, secret));
    });
  }

  /**
   * Seals what is sent from now on with that key.
   *
   * @throws IllegalStateException if it is not accepted, which all members have to do first
   */
  public void sealWith(Secret secret) {
    state.updateAndGet(now -> {
      if (!now.accepted.contains(secret)) {
        throw new IllegalStateException("a key seals once all members accept it");
      }
      List<Secret> others = now.accepted.stream().filter(one -> !one.equals(secret)).toList();
      return new State(
          secret, others.isEmpty() ? List.of(secret) : List.of(secret, others.getFirst()));
    });
  }

  /**
   * Takes nothing that is sealed with that key for genuine any more.
   *
   * @throws IllegalStateException if it seals what this member sends
   */
  public void drop(Secret secret) {
    state.updateAndGet(now -> {
      if (now.sealing.equals(secret)) {
        throw new IllegalStateException("the key seals what is sent: seal with another one first");
      }
      return new State(now.sealing, List.of(now.sealing));
    });
  }

  @Override
  public String toString() {
    return encrypting ? "keys that encrypt" : "keys that authenticate";
  }
}

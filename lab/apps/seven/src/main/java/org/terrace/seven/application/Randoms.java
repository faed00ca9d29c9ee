package org.terrace.seven.application;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.core.RequestIdentity;

/** Generators whose whole output follows from what they are made of. */
public final class Randoms {
  private static final RandomGeneratorFactory<RandomGenerator> GENERATORS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  /** Odd, so that clients of one seed get different seeds of their own. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private Randoms() {}

  /** The choices of a client's workload. */
  public static RandomGenerator ofClient(long seed, int client) {
    return GENERATORS.create(seed + SPREAD * (client + 1L));
  }

  /** Chance that no player can foretell: the call that has the effect throws the dice. */
  public static RandomGenerator unforeseeable() {
    return new SecureRandom();
  }

  /**
   * The dice of a call: the same for every replica that runs it and every time it is sent again.
   */
  public static RandomGenerator ofCall(RequestIdentity identity) {
    return GENERATORS.create(identity.client() + SPREAD * identity.sequence());
  }
}

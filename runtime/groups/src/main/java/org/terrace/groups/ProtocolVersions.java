package org.terrace.groups;

import org.jspecify.annotations.Nullable;

/**
 * A range of versions of the protocol, all of which one member understands: it takes messages of
 * any of them, and sends none of another. Immutable.
 *
 * @param least the earliest, 1 to {@value #HIGHEST}
 * @param most the latest, no earlier than the earliest, at most {@value #HIGHEST}
 */
public record ProtocolVersions(int least, int most) {
  /**
   * System property that has this process speak, and say that it understands, no later version than
   * the given one: for an upgrade that may have to be taken back. {@link GroupOptions} and other
   * settings of groups read it when they are made.
   */
  public static final String MOST_PROPERTY = "terrace.groups.protocolVersionMax";

  /** The highest version that can be written: the collections' messages have four bits for it. */
  public static final int HIGHEST = 15;

  /** Checks the order and the bounds. */
  public ProtocolVersions {
    if (least < 1 || least > most || most > HIGHEST) {
      throw new IllegalArgumentException(
          "versions of the protocol are 1 to %d in order, got %d to %d"
              .formatted(HIGHEST, least, most));
    }
  }

  /** All that this build understands. */
  public static ProtocolVersions ofThisBuild() {
    return new ProtocolVersions(Group.PROTOCOL_VERSION_LEAST, Group.PROTOCOL_VERSION);
  }

  /**
   * The same up to the version that the system property {@value #MOST_PROPERTY} names, if it is
   * set.
   *
   * @throws IllegalArgumentException if it names no version that this build understands
   */
  public static ProtocolVersions ofThisProcess() {
    return upToText(System.getProperty(MOST_PROPERTY));
  }

  static ProtocolVersions upToText(@Nullable String most) {
    if (most == null) {
      return ofThisBuild();
    }
    try {
      return ofThisBuild().upTo(Integer.parseInt(most));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the system property %s is '%s': set it to a version of the protocol that this build"
                  .formatted(MOST_PROPERTY, most)
              + " understands, %s, or leave it out".formatted(ofThisBuild()),
          e);
    }
  }

  /**
   * The same without the versions later than that one.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public ProtocolVersions upTo(int latest) {
    if (!contains(latest)) {
      throw new IllegalArgumentException(
          "the latest version of the protocol to speak is one of %s, got %d"
              .formatted(this, latest));
    }
    return new ProtocolVersions(least, latest);
  }

  /** Whether that version is one of these. */
  public boolean contains(int version) {
    return version >= least && version <= most;
  }

  /** Whether any version is one of both. */
  public boolean meets(ProtocolVersions other) {
    return least <= other.most && other.least <= most;
  }

  /** The version in which to speak to a member that understands those: the latest of both. */
  public int highestWith(ProtocolVersions other) {
    return nearest(Math.min(most, other.most));
  }

  /** The one of these that is nearest to that version. */
  public int nearest(int version) {
    return Math.clamp(version, least, most);
  }

  @Override
  public String toString() {
    return least == most ? Integer.toString(least) : least + " to " + most;
  }
}

package org.terrace.collections.structures.causality;

import org.jspecify.annotations.Nullable;
import org.terrace.collections.structures.Fingerprints;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;

/**
 * One put that has not been superseded: its dot (writer and sequence), its stamp, when it expires,
 * its value, and a digest of its content as its writer made it. Entries of one key that were put
 * concurrently are linked, the latest stamp first.
 *
 * <p>Immutable but for the value's form: bytes that came from another replica stay bytes until
 * first read, and stay beside the value when they hold fields that this version does not know.
 * Thread-safe.
 */
public final class Version {
  /** An entry that does not expire. */
  public static final long NEVER = 0;

  /** The mark, in place of a time of expiry, of content that is {@link Provisional}. */
  public static final long PROVISIONAL = -1;

  /** The writer of what is provisional. */
  public static final long NO_WRITER = 0;

  /** A value's bytes, perhaps with the value that was read from them. */
  public record Raw(byte[] bytes, @Nullable Object value) {}

  /** The incarnation that made the put. */
  public final long writer;

  /** The put's number among those of its writer. */
  public final long sequence;

  /** The time of the put by its writer's hybrid clock, later than all that the writer had seen. */
  public final long stamp;

  /** The time at which it expires, or {@link #NEVER}. */
  public final long expiresMillis;

  /**
   * The time at which it is over as far as is known here, or {@link #NEVER}: that at which it
   * expires, until uses say otherwise.
   */
  public final long deadlineMillis;

  /** The digest of its content as its writer made it. */
  public final int digest;

  /** Whether the content is known to be what the put's own writer holds. */
  public final boolean isWriters;

  /** The entry put concurrently that comes next, if any. */
  public final @Nullable Version next;

  private volatile Object content;
  private volatile @Nullable Object visible;

  /** A provisional entry, or the one that it would put, which never leaves this replica. */
  public Version(long writer, long sequence, long stamp, long expiresMillis, Object content) {
    this(writer, sequence, stamp, expiresMillis, content, 0, false);
  }

  /**
   * A put alone.
   *
   * @param digest of its content ({@link Fingerprints#ofContent})
   * @param isWriters whether the content is known to be what the put's own writer holds
   */
  public Version(
      long writer,
      long sequence,
      long stamp,
      long expiresMillis,
      Object content,
      int digest,
      boolean isWriters) {
    this(writer, sequence, stamp, expiresMillis, expiresMillis, content, digest, isWriters, null);
  }

  private Version(
      long writer,
      long sequence,
      long stamp,
      long expiresMillis,
      long deadlineMillis,
      Object content,
      int digest,
      boolean isWriters,
      @Nullable Version next) {
    this.digest = digest;
    this.isWriters = isWriters;
    this.writer = writer;
    this.sequence = sequence;
    this.stamp = stamp;
    this.expiresMillis = expiresMillis;
    this.deadlineMillis = deadlineMillis;
    this.content = content;
    this.next = next;
    this.visible = isLone() && !(content instanceof Raw) ? content : null;
  }

  private boolean isLone() {
    return next == null && deadlineMillis == NEVER;
  }

  /**
   * The value that any reader sees of this entry and those after it, or null if that takes a closer
   * look: the way of most reads.
   */
  public @Nullable Object visible() {
    return visible;
  }

  /** Whether the put has that dot. */
  public boolean isDot(long otherWriter, long otherSequence) {
    return writer == otherWriter && sequence == otherSequence;
  }

  /** Whether this is an undecided request's, and so no entry that others have. */
  public boolean isProvisional() {
    return expiresMillis == PROVISIONAL;
  }

  /** The intent of an undecided request; only if this is provisional. */
  public Provisional provisional() {
    return (Provisional) content;
  }

  /** The value, read from its bytes the first time; mutable ones are read anew each time. */
  public <V> V value(Codec<V> codec) {
    Object present = content;
    if (!(present instanceof Raw raw)) {
      @SuppressWarnings("unchecked")
      V value = (V) present;
      return value;
    }
    if (raw.value() != null) {
      @SuppressWarnings("unchecked")
      V value = (V) raw.value();
      return value;
    }
    Decoder in = new Decoder(raw.bytes());
    V value = codec.decode(in);
    if (codec.isImmutable()) {
      content = in.hasSkippedUnknown() || in.remaining() > 0 ? new Raw(raw.bytes(), value) : value;
      visible = isLone() ? value : null;
    }
    return value;
  }

  /** The value's bytes. */
  public <V> byte[] bytes(Codec<V> codec) {
    Object present = content;
    if (present instanceof Raw raw) {
      return raw.bytes();
    }
    @SuppressWarnings("unchecked")
    V value = (V) present;
    return codec.toBytes(value);
  }

  /**
   * The same put alone, its value as bytes. It shares nothing with this one, which may have been
   * taken up to be sent and must not change its form by the codec of another store.
   */
  public <V> Version asBytes(Codec<V> codec) {
    return withContent(new Raw(bytes(codec), null), null);
  }

  /** Whether this comes before the other among entries of one key. */
  public boolean isLaterThan(Version other) {
    if (stamp != other.stamp) {
      return stamp > other.stamp;
    }
    return writer != other.writer ? writer > other.writer : sequence > other.sequence;
  }

  /** The same put with that one next. */
  public Version withNext(@Nullable Version newNext) {
    return newNext == next ? this : withContent(content, newNext);
  }

  private Version withContent(Object newContent, @Nullable Version newNext) {
    return with(deadlineMillis, newContent, newNext);
  }

  /** A copy of this and those after it, with another deadline of that put among them. */
  public Version withDeadline(Dot dot, long newDeadlineMillis) {
    Version rest = next;
    if (isDot(dot.writer(), dot.sequence())) {
      return with(newDeadlineMillis, content, rest);
    }
    return rest == null ? this : withNext(rest.withDeadline(dot, newDeadlineMillis));
  }

  private Version with(long newDeadlineMillis, Object newContent, @Nullable Version newNext) {
    return new Version(
        writer,
        sequence,
        stamp,
        expiresMillis,
        newDeadlineMillis,
        newContent,
        digest,
        isWriters,
        newNext);
  }

  /** A number that stands for this entry's dot among all updates. */
  public long dotFingerprint() {
    return Fingerprints.of(writer, sequence);
  }

  /** A number that stands for this entry, its content included, among all of all collections. */
  public long fingerprint() {
    return Fingerprints.ofEntry(dotFingerprint(), digest);
  }
}

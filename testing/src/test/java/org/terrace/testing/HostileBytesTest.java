package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.core.codec.RecordCodec;
import org.terrace.core.codec.TypeNumber;

/** Whatever the bytes, a decoder gives a value or {@link MalformedDataException}. */
class HostileBytesTest {
  private static final int TRIES = 200_000;
  private static final int BYTES_MAX = 200;

  enum Colour {
    RED,
    GREEN
  }

  sealed interface Thing permits Positive, Bag {}

  @TypeNumber(1)
  record Positive(@FieldNumber(1) int number) implements Thing {
    Positive {
      if (number < 1) {
        throw new IllegalArgumentException("not positive: " + number);
      }
    }
  }

  @TypeNumber(2)
  record Bag(@FieldNumber(1) List<String> texts, @FieldNumber(2) byte[] bytes) implements Thing {}

  record All(
      @FieldNumber(1) Thing thing,
      @FieldNumber(2) List<Thing> things,
      @FieldNumber(3) Map<String, Long> counts,
      @FieldNumber(4) Instant time,
      @FieldNumber(5) Duration length,
      @FieldNumber(6) Colour colour,
      @FieldNumber(7) UUID id,
      @FieldNumber(8) Optional<Double> share,
      @FieldNumber(9) Set<Integer> numbers) {}

  private static final All GENUINE =
      new All(
          new Positive(7),
          List.of(new Bag(List.of("a", "bc"), new byte[] {1, 2, 3}), new Positive(1)),
          Map.of("one", 1L, "two", 2L),
          Instant.ofEpochSecond(1_700_000_000L, 5),
          Duration.ofSeconds(3, 4),
          Colour.GREEN,
          new UUID(3, 4),
          Optional.of(0.5),
          Set.of(4, 5));

  @Test
  void nothingButMalformedDataExceptionComesOut() {
    RandomGenerator random =
        Seeds.generator(Seeds.next("nothingButMalformedDataExceptionComesOut"));
    Codec<All> codec = RecordCodec.of(All.class);
    byte[] genuine = codec.toBytes(GENUINE);
    int malformed = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] bytes = hostile(genuine, random);
      try {
        assertThat(codec.decode(new Decoder(bytes))).isNotNull();
      } catch (MalformedDataException e) {
        malformed++;
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        fail("%s of %s", e, Arrays.toString(bytes));
      }
    }
    assertThat(malformed).isBetween(TRIES / 2, TRIES - 1);
  }

  private static byte[] hostile(byte[] genuine, RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        byte[] noise = new byte[random.nextInt(BYTES_MAX)];
        random.nextBytes(noise);
        yield noise;
      }
      case 1 -> Arrays.copyOf(genuine, random.nextInt(genuine.length));
      case 2 -> {
        byte[] huge = Arrays.copyOf(genuine, genuine.length + 9);
        int at = random.nextInt(genuine.length);
        System.arraycopy(genuine, at, huge, at + 9, genuine.length - at);
        Arrays.fill(huge, at, at + 8, (byte) 0xFF);
        huge[at + 8] = (byte) random.nextInt(128);
        yield huge;
      }
      default -> {
        byte[] damaged = genuine.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        yield damaged;
      }
    };
  }
}

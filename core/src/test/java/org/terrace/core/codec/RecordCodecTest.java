package org.terrace.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  enum Colour {
    RED,
    GREEN
  }

  record Item(@FieldNumber(1) String symbol, @FieldNumber(2) int count) {}

  record Everything(
      @FieldNumber(1) int number,
      @FieldNumber(2) long large,
      @FieldNumber(3) boolean flag,
      @FieldNumber(4) double share,
      @FieldNumber(5) String text,
      @FieldNumber(6) Colour colour,
      @FieldNumber(7) UUID id,
      @FieldNumber(8) Instant time,
      @FieldNumber(9) Duration length,
      @FieldNumber(10) Optional<String> maybe,
      @FieldNumber(11) List<Item> items,
      @FieldNumber(12) Set<Integer> numbers,
      @FieldNumber(13) Map<String, Long> counts,
      @FieldNumber(14) Integer boxed) {}

  record Older(@FieldNumber(2) String name, @FieldNumber(1) int age) {}

  record Newer(
      @FieldNumber(1) int age,
      @FieldNumber(3) String city,
      @FieldNumber(4) List<String> tags,
      @FieldNumber(2) String name) {}

  record Unnumbered(String text) {}

  record Twice(@FieldNumber(1) String one, @FieldNumber(1) String two) {}

  record Foreign(@FieldNumber(1) Thread thread) {}

  private static <T> T roundTrip(Codec<T> codec, T value) {
    return codec.decode(new Decoder(codec.toBytes(value)));
  }

  @Test
  void everyComponentSurvives() {
    Everything full =
        new Everything(
            -5,
            Long.MIN_VALUE,
            true,
            0.1,
            "grüße",
            Colour.GREEN,
            new UUID(1, -2),
            Instant.ofEpochSecond(-3, 4),
            Duration.ofMillis(-1),
            Optional.of("x"),
            List.of(new Item("a", 1), new Item("b", -1)),
            Set.of(7),
            Map.of("k", 9L),
            null);

    assertThat(roundTrip(RecordCodec.of(Everything.class), full)).isEqualTo(full);
  }

  @Test
  void oldAndNewVersionsReadEachOther() {
    byte[] older = RecordCodec.of(Older.class).toBytes(new Older("ann", 30));
    byte[] newer = RecordCodec.of(Newer.class).toBytes(new Newer(40, "ulm", List.of("t"), "bob"));

    assertThat(RecordCodec.of(Newer.class).decode(new Decoder(older)))
        .isEqualTo(new Newer(30, null, List.of(), "ann"));
    Decoder in = new Decoder(newer);
    assertThat(RecordCodec.of(Older.class).decode(in)).isEqualTo(new Older("bob", 40));
    assertThat(in.hasSkippedUnknown()).isTrue();
  }

  @Test
  void immutabilityIsThatOfTheComponents() {
    assertThat(RecordCodec.of(Item.class).isImmutable()).isTrue();
    assertThat(RecordCodec.of(Newer.class).isImmutable()).isFalse();
  }

  @Test
  void classesThatCannotBeStoredAreRefusedByName() {
    assertThatThrownBy(() -> RecordCodec.of(Unnumbered.class)).hasMessageContaining("FieldNumber");
    assertThatThrownBy(() -> RecordCodec.of(Twice.class)).hasMessageContaining("twice");
    assertThatThrownBy(() -> RecordCodec.of(Foreign.class)).hasMessageContaining("Thread");
  }

  record Named(@FieldNumber(1) Set<String> names, @FieldNumber(2) Map<Item, Set<Item>> items) {}

  @Test
  void equalValuesHaveTheSameCanonicalBytesInWhateverOrderTheyAreFound() {
    Item one = new Item("a long one", 1);
    Item two = new Item("b", 2);
    Set<Item> inOrder = new LinkedHashSet<>(List.of(one, two));
    Set<Item> reversed = new LinkedHashSet<>(List.of(two, one));
    Map<Item, Set<Item>> first = new LinkedHashMap<>();
    first.put(one, inOrder);
    first.put(two, reversed);
    Map<Item, Set<Item>> second = new LinkedHashMap<>();
    second.put(two, inOrder);
    second.put(one, reversed);
    Named value = new Named(new LinkedHashSet<>(List.of("x", "yy", "z")), first);
    Named equal = new Named(new LinkedHashSet<>(List.of("z", "x", "yy")), second);
    Codec<Named> codec = RecordCodec.of(Named.class);

    assertThat(canonical(codec, equal)).isEqualTo(canonical(codec, value));
    assertThat(codec.decode(new Decoder(canonical(codec, equal)))).isEqualTo(value);
    assertThat(codec.toBytes(equal)).as("else as it comes").isNotEqualTo(codec.toBytes(value));
  }

  private static <T> byte[] canonical(Codec<T> codec, T value) {
    Encoder out = Encoder.canonical();
    codec.encode(value, out);
    return out.toBytes();
  }
}

package org.terrace.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TypeRegistryTest {
  sealed interface Shape permits Circle, Polygon {}

  @TypeNumber(1)
  record Circle(@FieldNumber(1) double radius) implements Shape {}

  sealed interface Polygon extends Shape permits Square, Path {}

  @TypeNumber(2)
  record Square(@FieldNumber(1) double side, @FieldNumber(2) String name) implements Polygon {}

  @TypeNumber(5)
  record Path(@FieldNumber(1) List<Integer> corners) implements Polygon {}

  record Drawing(
      @FieldNumber(1) Shape first,
      @FieldNumber(2) List<Shape> rest,
      @FieldNumber(3) Optional<Shape> frame) {}

  sealed interface Unnumbered permits Plain {}

  record Plain(@FieldNumber(1) int one) implements Unnumbered {}

  sealed interface Clash permits One, Other {}

  @TypeNumber(1)
  record One() implements Clash {}

  @TypeNumber(1)
  record Other() implements Clash {}

  sealed interface Tree permits Leaf, Fork {}

  @TypeNumber(1)
  record Leaf() implements Tree {}

  @TypeNumber(2)
  record Fork(@FieldNumber(1) Tree left, @FieldNumber(2) Tree right) implements Tree {}

  private static <T> T roundTrip(Codec<T> codec, T value) {
    return codec.decode(new Decoder(codec.toBytes(value)));
  }

  @Test
  void valuesOfAllPermittedRecordsSurvive() {
    TypeRegistry<Shape> shapes = TypeRegistry.of(Shape.class);
    for (Shape shape : List.of(new Circle(1.5), new Square(2, "s"), new Path(List.of(3, 1, 2)))) {
      assertThat(roundTrip(shapes, shape)).isEqualTo(shape);
    }
    assertThat(shapes.isImmutable()).isFalse();
  }

  @Test
  void componentsOfRecordsMayBeSealed() {
    Drawing drawing =
        new Drawing(
            new Circle(1), List.of(new Square(2, "x"), new Circle(3)), Optional.of(new Circle(4)));

    assertThat(roundTrip(RecordCodec.of(Drawing.class), drawing)).isEqualTo(drawing);
  }

  @Test
  void aTypeThatIsNotRegisteredIsRefusedBothWays() {
    TypeRegistry<Shape> old =
        TypeRegistry.builder(Shape.class)
            .add(1, Circle.class, RecordCodec.of(Circle.class))
            .build();
    byte[] bytes = TypeRegistry.of(Shape.class).toBytes(new Square(1, "new"));

    assertThatThrownBy(() -> old.decode(new Decoder(bytes)))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("number 2")
        .hasMessageContaining("Shape");
    assertThatThrownBy(() -> old.toBytes(new Square(1, "new")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(old.isImmutable()).isTrue();
  }

  @Test
  void registriesThatCannotWorkAreRefusedByName() {
    assertThatThrownBy(() -> TypeRegistry.of(Unnumbered.class)).hasMessageContaining("Plain");
    assertThatThrownBy(() -> TypeRegistry.of(Clash.class)).hasMessageContaining("not in use: 1");
    assertThatThrownBy(() -> TypeRegistry.of(Runnable.class)).hasMessageContaining("not sealed");
    assertThatThrownBy(() -> TypeRegistry.of(Tree.class)).hasMessageContaining("contains itself");
  }
}

package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

/** The rule about copies of records, in the house and where broken on purpose. */
class CopiesTest {
  @TempDir private Path folder;

  @Test
  void noCopyOfTheHouseExchangesComponents() throws IOException {
    Copies copies = Copies.in(House.read(Path.of(System.getProperty("terrace.root"))));

    assertThat(copies.breaches()).isEmpty();
    assertThat(copies.found()).isGreaterThan(100);
  }

  @Test
  void aCopyThatExchangesTwoComponentsIsNamed() throws IOException {
    House house =
        new PlantedHouse(folder)
            .module("shop")
            .main(
                "shop",
                """
                package org.shop;
                public record Wait<T>(int first, int last, T what) {
                  Wait<T> withFirst(int newFirst) {
                    return new Wait<>(newFirst, last, what);
                  }
                  Wait<T> withLast(int newLast) {
                    return new Wait<T>(newLast, first, what);
                  }
                  Wait<T> backwards() {
                    int first = last;
                    return new Wait<>(this.last, first + 1, what);
                  }
                  static Wait<String> of(int last) {
                    return new Wait<>(last, last, "");
                  }
                }
                """)
            .build();

    Copies copies = Copies.in(house);

    assertThat(copies.breaches()).containsExactly("Wait.withLast puts first in the place of last");
    assertThat(copies.found()).isEqualTo(3);
  }
}

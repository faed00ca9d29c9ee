package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys as an adversary would choose them. */
class LongTableTest {
  private static final int KEYS = 300_000;

  /** Numbers that {@code Bytes.mix} and the places of a plain table take for each other. */
  @Test
  @Timeout(20)
  void keysThatDifferInFewBitsHaveTheirOwnPlaces() {
    for (int shift : new int[] {0, 13, 20, 32, 45}) {
      LongTable table = new LongTable(KEYS);
      for (long i = 1; i <= KEYS; i++) {
        table.put(i << shift, (int) i);
      }
      for (long i = 1; i <= KEYS; i++) {
        assertThat(table.get(i << shift)).isEqualTo((int) i);
      }
      LongTable copy = new LongTable(KEYS);
      for (long key : table.keys()) {
        copy.put(key, 1);
      }
      assertThat(copy.size()).isEqualTo(table.size());
    }
  }

  @Test
  void keysBeyondTheLimitAreTurnedAwayAndSaidSo() {
    LongTable table = new LongTable(2);
    for (long key = 1; key <= 3; key++) {
      table.put(key, 7);
    }

    assertThat(table.size()).isEqualTo(2);
    assertThat(table.overflowed()).isTrue();
    assertThat(table.get(3)).isEqualTo(LongTable.ABSENT);
  }
}

package org.terrace.protocols.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lines are read where they lie, and what was copied of one is held as long as it is counted. */
class LineBufferTest {
  private final MemoryBudget memory = new MemoryBudget();
  private final LineBuffer line = new LineBuffer(memory);

  @Test
  void anArrayWhoseMemoryWasGivenBackIsNotHeld() {
    byte[] first = new byte[LineBuffer.LINE_BYTES_MAX - 1];
    assertThat(line.take(first, 0, first.length)).isEqualTo(LineBuffer.CUT);
    assertThat(line.take(Ascii.of("a\n"), 0, 2)).isEqualTo(2);
    assertThat(line.to() - line.from()).isEqualTo(LineBuffer.LINE_BYTES_MAX);
    assertThat(memory.taken()).isEqualTo(line.bytes().length);

    line.release();

    assertThat(memory.taken()).isZero();
    assertThat(line.bytes()).isEmpty();
    assertThat(line.from()).isEqualTo(line.to());
  }
}

package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

class AnswerMemoryTest {
  @Test
  void whatIsGivenBackIsThereAgainOnce() {
    AnswerMemory memory = new AnswerMemory(600);
    AnswerMemory.Held held = memory.takeToRead(60);

    assertThat(memory.fileBytes(4)).isEqualTo(25);
    memory.takeToRead(40).close();
    assertThatThrownBy(() -> memory.takeToRead(41)).isInstanceOf(AnswerMemory.Exhausted.class);
    assertThatThrownBy(() -> memory.takeToRead(101))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("start terrace serve with more (TERRACE_JAVA_OPTIONS=-Xmx2m)");
    held.close();
    held.close();
    memory.takeToRead(100).close();
    assertThatThrownBy(() -> memory.takeToRead(101)).isInstanceOf(TerraceException.class);
  }
}

package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of processes that are there: told at once, and again whenever it changes. */
class AttendanceTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void theFirstNumberAndEachChangeAreToldAndWhatTheyMean() {
    Attendance naming = new Attendance("names", 3, 2, "nothing changes", told::add);
    assertThat(naming.present()).isZero();
    naming.seen(1);
    naming.seen(1);
    naming.seen(2);
    naming.seen(3);
    naming.seen(1);

    assertThat(told)
        .containsExactly(
            "1 of 3 names are there: nothing changes",
            "2 of 3 names are there",
            "all 3 names are there",
            "1 of 3 names are there: nothing changes");
    assertThat(naming.present()).isEqualTo(1);
    assertThat(naming.expected()).isEqualTo(3);
  }

  @Test
  void moreThanThereAreToBeAreNotNeeded() {
    assertThatThrownBy(() -> new Attendance("names", 2, 3, "", told::add))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of 2 names");
  }
}

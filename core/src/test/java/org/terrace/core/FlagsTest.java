package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

final class FlagsTest {
  private static Flags flags(String line) {
    return Flags.of(line.isEmpty() ? new String[0] : line.split(" ", -1), "--fast");
  }

  @Test
  void givesTextsNumbersSwitchesAndValues() {
    Flags flags = flags("--name app1 --fast --port 80 --share 0.5 --day 2026-06-30 --file a.csv");
    assertThat(flags.text("--name")).isEqualTo("app1");
    assertThat(flags.isGiven("--fast")).isTrue();
    assertThat(flags.number("--port", 1, 0, 65_535)).isEqualTo(80);
    assertThat(flags.decimal("--share", 1, 0, 1)).isEqualTo(0.5);
    assertThat(flags.value("--day", LocalDate::parse, () -> LocalDate.EPOCH, "a day"))
        .isEqualTo("2026-06-30");
    assertThat(flags.path("--file")).contains(Path.of("a.csv"));
    flags.end();
  }

  @Test
  void givesWhatStandsInForWhatIsLeftOut() {
    Flags flags = flags("");
    assertThat(flags.text("--name", "board")).isEqualTo("board");
    assertThat(flags.optional("--name")).isEmpty();
    assertThat(flags.isGiven("--fast")).isFalse();
    assertThat(flags.number("--port", 1, 0, 9)).isEqualTo(1);
    assertThat(flags.decimal("--share", 0.25, 0, 1)).isEqualTo(0.25);
    assertThat(flags.path("--file")).isEmpty();
  }

  @Test
  void namesTheFlagTheValueAndWhatWasExpected() {
    assertThatThrownBy(() -> flags("--port ninety").number("--port", 1, 0, 9))
        .isInstanceOf(TerraceException.class)
        .hasMessage("--port is 'ninety': expected a whole number from 0 to 9");
    assertThatThrownBy(() -> flags("--port 10").number("--port", 1, 0, 9))
        .hasMessage("--port is '10': expected a whole number from 0 to 9");
    assertThatThrownBy(() -> flags("--share NaN").decimal("--share", 0, 0, 1))
        .hasMessage("--share is 'NaN': expected a number from 0.0 to 1.0");
    assertThatThrownBy(() -> flags("--day now").value("--day", LocalDate::parse, null, "a day"))
        .hasMessage("--day is 'now': expected a day");
  }

  @Test
  void refusesWhatIsMissingUnknownTwiceOrNoFlag() {
    assertThatThrownBy(() -> flags("").text("--name")).hasMessage("--name is missing");
    assertThatThrownBy(() -> flags("").required("--naming", "where names are"))
        .hasMessage("--naming is missing: where names are");
    assertThatThrownBy(() -> flags("--name")).hasMessage("--name needs a value after it");
    assertThatThrownBy(() -> flags("name")).hasMessage("at 'name': expected a flag such as --name");
    assertThatThrownBy(() -> flags("--fast --fast"))
        .hasMessage("--fast is given twice; leave one out");
    Flags flags = flags("--nmae app1");
    flags.text("--name", "");
    assertThatThrownBy(flags::end).hasMessage("--nmae is unknown; there are --name");
  }
}

package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.testing.Seeds;

/** Values that were cut or damaged on their way give values, or an error that says so. */
class DamagedValuesTest {
  private static final int ROUNDS = 20_000;

  private static final List<Object> VALUES =
      List.of(
          "a text",
          'c',
          true,
          (byte) 1,
          (short) 2,
          0.5f,
          BigInteger.TEN,
          new ControllerValues.Elements("text", new Object[] {"a", new Object[] {"b"}}),
          new ControllerValues.Shown(0.5, "1/2"),
          new Time(0),
          LocalTime.NOON,
          Instant.EPOCH,
          -17,
          1L << 40,
          0.25,
          new BigDecimal("-12.50"),
          new byte[] {1, 2, 3},
          new UUID(1, 2),
          Timestamp.valueOf("2026-06-30 12:00:00.5"),
          LocalDate.of(2026, 6, 30),
          LocalDateTime.of(2026, 6, 30, 12, 0),
          OffsetDateTime.parse("2026-06-30T12:00:00+02:00"));

  private static final ControllerRows.Pages NO_PAGES =
      new ControllerRows.Pages() {
        @Override
        public Decoder next(long result, boolean lasts) {
          throw new IllegalStateException("none");
        }

        @Override
        public void close(long result, boolean lasts) {}
      };

  @Test
  void damagedValuesAreRefusedAndNothingElseHappens() {
    RandomGenerator random = Seeds.generator(Seeds.next("DamagedValuesTest.values"));
    Encoder out = new Encoder();
    VALUES.forEach(value -> ControllerValues.write(out, value));
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Decoder in = new Decoder(damaged(out.toBytes(), random));
      try {
        for (int read = 0; read < VALUES.size(); read++) {
          ControllerValues.read(in);
        }
      } catch (MalformedDataException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void damagedResultsAreFailuresOfTheStatement() {
    RandomGenerator random = Seeds.generator(Seeds.next("DamagedValuesTest.results"));
    Encoder out = new Encoder();
    out.putUnsigned(0);
    out.putUnsigned(VALUES.size());
    VALUES.forEach(value -> {
      String name = value.getClass().getSimpleName();
      out.putString(name);
      out.putString(name);
      out.putSigned(1);
      out.putString(name);
      out.putString(name);
      out.putRaw(new byte[5], 0, 5);
    });
    out.putByte(1);
    VALUES.forEach(value -> ControllerValues.write(out, value));
    out.putByte(0);
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      try (ResultSet rows =
          ControllerRows.of(
              new Decoder(damaged(out.toBytes(), random)), NO_PAGES, null, false, () -> {})) {
        assertThat(rows.isClosed()).isFalse();
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("08P01");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(ROUNDS / 10);
  }

  private static byte[] damaged(byte[] whole, RandomGenerator random) {
    byte[] damaged =
        random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole;
    for (int change = damaged.length == 0 ? 0 : random.nextInt(1, 4); change > 0; change--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }
}

package org.terrace.cluster.jdbc.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.core.StatementOutcome.Kind;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.StatementRequest;

/** Transactions that come out of the log as they went in, with values of every type. */
class TransactionRecordCodecTest {
  private static final List<Object> VALUES =
      List.of(
          "w\u00f6rd",
          'c',
          true,
          (byte) -1,
          (short) 300,
          -70_000,
          1L << 40,
          1.5f,
          Math.PI,
          new BigDecimal("-12.3450"),
          BigInteger.TWO.pow(80),
          UUID.fromString("00000000-0000-0001-0000-000000000002"),
          Timestamp.valueOf("2026-01-02 03:04:05.678901"),
          Date.valueOf("2026-01-02"),
          Time.valueOf("03:04:05"),
          LocalDate.of(2026, 1, 2),
          LocalTime.of(3, 4, 5, 6),
          LocalDateTime.of(2026, 1, 2, 3, 4, 5),
          OffsetDateTime.parse("2026-01-02T03:04:05.000006+02:00"),
          Instant.parse("2026-01-02T03:04:05Z"));

  @Test
  void whatGoesInComesOut() {
    List<BoundParameter> row = new ArrayList<>();
    VALUES.forEach(value -> row.add(BoundParameter.of(value)));
    row.add(BoundParameter.typed(null, Types.INTEGER));
    row.add(BoundParameter.typed("{}", Types.OTHER));
    StatementRequest request =
        new StatementRequest(
            "INSERT INTO t VALUES (?)",
            List.of(row, row),
            true,
            KeysWanted.NONE,
            StatementOptions.USUAL.withMaxRows(7));
    StatementRequest plain =
        new StatementRequest(
            "DELETE FROM t", List.of(), false, KeysWanted.NONE, StatementOptions.USUAL);
    TransactionRecord transaction =
        new TransactionRecord(
            99,
            List.of("SET x = 1"),
            List.of(
                new LoggedStatement(request, false, StatementOutcome.done("[1, 1]")),
                new LoggedStatement(plain, true, new StatementOutcome(Kind.FAILED, "23505"))));

    assertThat(TransactionRecordCodec.isWritable(request)).isTrue();
    assertThat(TransactionRecordCodec.decode(TransactionRecordCodec.encode(transaction)))
        .isEqualTo(transaction);
  }

  @Test
  void arraysAndBytesComeOutToo() {
    byte[] bytes = {1, 0, -1};
    Object[] elements = {1, "two", new Object[] {3L}};
    StatementRequest request =
        new StatementRequest(
            "INSERT",
            List.of(
                List.of(
                    BoundParameter.of(bytes),
                    BoundParameter.of(new BoundParameter.Elements("int4", elements)))),
            false,
            KeysWanted.NONE,
            StatementOptions.USUAL);
    TransactionRecord transaction =
        new TransactionRecord(
            1, List.of(), List.of(new LoggedStatement(request, false, StatementOutcome.done("1"))));

    List<BoundParameter> row =
        TransactionRecordCodec.decode(TransactionRecordCodec.encode(transaction))
            .statements()
            .getFirst()
            .request()
            .rows()
            .getFirst();
    assertThat(row.getFirst().value()).isEqualTo(bytes);
    BoundParameter.Elements array = (BoundParameter.Elements) row.get(1).value();
    assertThat(array.typeName()).isEqualTo("int4");
    assertThat(Arrays.deepEquals(array.elements(), elements)).isTrue();
  }

  @Test
  void whatCannotBeKeptIsSaid() {
    StatementRequest request =
        new StatementRequest(
            "INSERT",
            List.of(List.of(BoundParameter.of(new Object()))),
            false,
            KeysWanted.NONE,
            StatementOptions.USUAL);

    assertThat(TransactionRecordCodec.isWritable(request)).isFalse();
  }
}

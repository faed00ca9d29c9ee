package org.terrace.cluster.jdbc.recovery;

import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.KeysWanted;
import org.terrace.cluster.server.dialect.StatementOptions;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The bytes of a transaction in the recovery log. Moments without a zone mean what they mean in the
 * zone of this process, which is therefore written too.
 */
public final class TransactionRecordCodec {
  private static final int FORMAT = 1;
  private static final int COUNT_MAX = 1 << 26;

  private TransactionRecordCodec() {}

  /** Whether a statement can be written with all its values. */
  public static boolean isWritable(StatementRequest request) {
    for (List<BoundParameter> row : request.rows()) {
      for (BoundParameter parameter : row) {
        if (!ValueCodec.isWritable(parameter.value())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Refuses a statement that cannot be written with all its values. */
  public static void checkWritable(StatementRequest request) throws SQLException {
    if (!isWritable(request)) {
      throw new SQLException(
          "A parameter is of a type that the recovery log cannot keep: give it as one of JDBC's own"
              + " types, such as a text with its type.",
          SqlStates.BAD_PARAMETER);
    }
  }

  /** Writes a transaction. */
  public static byte[] encode(TransactionRecord transaction) {
    Encoder out = new Encoder();
    out.putByte(FORMAT);
    out.putString(ZoneId.systemDefault().getId());
    out.putUnsigned(transaction.position());
    out.putUnsigned(transaction.settings().size());
    transaction.settings().forEach(out::putString);
    out.putUnsigned(transaction.statements().size());
    for (LoggedStatement statement : transaction.statements()) {
      out.putByte(statement.definition() ? 1 : 0);
      out.putByte(statement.outcome().kind().ordinal());
      out.putString(statement.outcome().fingerprint());
      StatementRequest request = statement.request();
      out.putString(request.sql());
      out.putByte(request.batch() ? 1 : 0);
      out.putUnsigned(request.options().maxRows());
      out.putUnsigned(request.rows().size());
      for (List<BoundParameter> row : request.rows()) {
        out.putUnsigned(row.size());
        for (BoundParameter parameter : row) {
          out.putByte(parameter.typed() ? 1 : 0);
          out.putSigned(parameter.sqlType());
          ValueCodec.write(out, parameter.value());
        }
      }
    }
    return out.toBytes();
  }

  /**
   * Reads a transaction.
   *
   * @throws MalformedDataException when it is none
   * @throws IllegalStateException when it was written in another time zone
   */
  public static TransactionRecord decode(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    int format = in.getByte();
    if (format != FORMAT) {
      throw new MalformedDataException("a transaction of the unknown format " + format);
    }
    String zone = in.getString();
    if (!zone.equals(ZoneId.systemDefault().getId())) {
      throw new IllegalStateException(
          "the log was written in the time zone %s and this process is in %s: start it with -Duser.timezone=%s"
              .formatted(zone, ZoneId.systemDefault().getId(), zone));
    }
    long position = in.getUnsigned();
    List<String> settings = new ArrayList<>();
    int settingsCount = in.getCount(COUNT_MAX);
    for (int i = 0; i < settingsCount; i++) {
      settings.add(in.getString());
    }
    List<LoggedStatement> statements = new ArrayList<>();
    int statementCount = in.getCount(COUNT_MAX);
    for (int i = 0; i < statementCount; i++) {
      statements.add(statement(in));
    }
    return new TransactionRecord(position, settings, statements);
  }

  private static LoggedStatement statement(Decoder in) {
    boolean definition = in.getByte() != 0;
    StatementOutcome.Kind[] kinds = StatementOutcome.Kind.values();
    int kind = in.getByte();
    if (kind < 0 || kind >= kinds.length) {
      throw new MalformedDataException("an outcome of the unknown kind " + kind);
    }
    StatementOutcome outcome = new StatementOutcome(kinds[kind], in.getString());
    String sql = in.getString();
    boolean batch = in.getByte() != 0;
    StatementOptions options = StatementOptions.USUAL.withMaxRows((int) in.getUnsigned());
    List<List<BoundParameter>> rows = new ArrayList<>();
    int rowCount = in.getCount(COUNT_MAX);
    for (int i = 0; i < rowCount; i++) {
      List<BoundParameter> row = new ArrayList<>();
      int width = in.getCount(COUNT_MAX);
      for (int j = 0; j < width; j++) {
        boolean typed = in.getByte() != 0;
        int sqlType = (int) in.getSigned();
        row.add(new BoundParameter(ValueCodec.read(in), sqlType, typed));
      }
      rows.add(row);
    }
    return new LoggedStatement(
        new StatementRequest(sql, rows, batch, KeysWanted.NONE, options), definition, outcome);
  }
}

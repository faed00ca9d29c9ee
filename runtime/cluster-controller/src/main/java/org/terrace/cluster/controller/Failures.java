package org.terrace.cluster.controller;

import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/** The bytes of failures: message, SQLState, code, which of JDBC's kinds, and a batch's counts. */
final class Failures {
  private static final int COUNTS_MAX = 1 << 24;
  private static final int CHAIN_MAX = 8;

  private Failures() {}

  static Encoder answer(SQLException failure) {
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.FAILED);
    int left = CHAIN_MAX;
    for (SQLException one = failure; one != null && left > 0; one = one.getNextException()) {
      answer.putByte(1);
      write(answer, one);
      left--;
    }
    answer.putByte(0);
    return answer;
  }

  private static void write(Encoder answer, SQLException failure) {
    answer.putByte(kind(failure));
    answer.putString(String.valueOf(failure.getMessage()));
    answer.putString(failure.getSQLState() == null ? "" : failure.getSQLState());
    answer.putSigned(failure.getErrorCode());
    if (failure instanceof BatchUpdateException batch) {
      long[] counts = batch.getLargeUpdateCounts();
      answer.putUnsigned(counts == null ? 0 : counts.length);
      for (long count : counts == null ? new long[0] : counts) {
        answer.putSigned(count);
      }
    }
  }

  private static int kind(SQLException failure) {
    return switch (failure) {
      case BatchUpdateException _ -> 'b';
      case SQLFeatureNotSupportedException _ -> 'f';
      case SQLTimeoutException _ -> 't';
      case SQLIntegrityConstraintViolationException _ -> 'i';
      case SQLSyntaxErrorException _ -> 's';
      case SQLDataException _ -> 'd';
      case SQLTransactionRollbackException _ -> 'r';
      case SQLTransientConnectionException _ -> 'c';
      case LostAnswerException _ -> 'l';
      default -> '-';
    };
  }

  /** The failure that an answer tells, past its first byte. */
  static SQLException read(Decoder answer) {
    SQLException first = null;
    while (answer.getByte() != 0) {
      SQLException one = one(answer);
      if (first == null) {
        first = one;
      } else {
        first.setNextException(one);
      }
    }
    return first == null ? new SQLException("The controller failed.", "58000") : first;
  }

  private static SQLException one(Decoder answer) {
    int kind = answer.getByte();
    String message = answer.getString();
    String told = answer.getString();
    @Nullable String state = told.isEmpty() ? null : told;
    int code = (int) answer.getSigned();
    return switch (kind) {
      case 'b' -> {
        long[] counts = new long[answer.getCount(Math.min(COUNTS_MAX, answer.remaining()))];
        for (int i = 0; i < counts.length; i++) {
          counts[i] = answer.getSigned();
        }
        yield new BatchUpdateException(message, state, code, counts, null);
      }
      case 'f' -> new SQLFeatureNotSupportedException(message, state, code);
      case 't' -> new SQLTimeoutException(message, state, code);
      case 'i' -> new SQLIntegrityConstraintViolationException(message, state, code);
      case 's' -> new SQLSyntaxErrorException(message, state, code);
      case 'd' -> new SQLDataException(message, state, code);
      case 'r' -> new SQLTransactionRollbackException(message, state, code);
      case 'c' -> new SQLTransientConnectionException(message, state, code);
      case 'l' -> new LostAnswerException(message, null);
      default -> new SQLException(message, state, code);
    };
  }
}

/**
 * Tomcat's HTTP sessions in a replicated map: a visitor whose server dies goes on at another,
 * signed in and with everything kept that was acknowledged.
 */
@NullMarked
package org.terrace.collections.tomcat;

import org.jspecify.annotations.NullMarked;

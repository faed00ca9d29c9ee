/** Web servers of trials that are others' programs. */
package org.terrace.experiment.web;

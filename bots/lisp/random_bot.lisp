;;; A bot that plays any legal move. Common Lisp, no library: messages are compact and have their fields in the order of
;;; PROTOCOL.md, so cutting a line at a field's name is enough.
;;;
;;; Run a match:  referee match bao-kigogo "sbcl --script bots/lisp/random_bot.lisp" random-bot
;;; By hand:      sbcl --script bots/lisp/random_bot.lisp     and type messages of PROTOCOL.md, one a line

(defun field (name ends line)
  "Cuts out what follows a field's name and colon, up to the first of the characters ENDS."
  (let* ((key (format nil "\"~a\":" name))
         (at (search key line)))
    (if (null at)
        ""
        (let ((start (+ at (length key))))
          (when (char= (char line start) #\") (incf start))
          (subseq line start (position-if (lambda (c) (find c ends)) line :start start))))))

(defun words (text)
  "Splits a text at single spaces."
  (loop for start = 0 then (1+ end)
        for end = (position #\Space text :start start)
        collect (subseq text start end)
        while end))

(defun say (control &rest arguments)
  "Prints one message. Without finish-output it would wait in a buffer."
  (apply #'format t control arguments)
  (terpri)
  (finish-output))

(setf *random-state* (make-random-state t))

(loop for line = (read-line *standard-input* nil)
      while line
      do (let ((kind (field "type" "\"" line))
               (id (field "id" ",}" line)))
           (cond ((string= kind "hello")
                  (say "{\"type\":\"hello\",\"protocol\":1,\"name\":\"random_bot.lisp\",\"version\":\"1.0\",~
                        \"author\":\"Bao Referee\",\"games\":[\"bao-kigogo\",\"bao-kingulu\"]}"))
                 ((string= kind "new_game") (say "{\"type\":\"ready\",\"id\":~a}" id))
                 ((string= kind "go")
                  (let ((legal (words (field "legal" "\"" line))))
                    (say "{\"type\":\"move\",\"id\":~a,\"move\":\"~a\"}" id
                         (nth (random (length legal)) legal))))
                 ((string= kind "ping") (say "{\"type\":\"pong\",\"id\":~a}" id))
                 ((string= kind "fault") (format *error-output* "~a~%" line))
                 ((string= kind "bye") (return)))))
;; Anything else (set_option, game_over, a type of a later version) needs no answer.
